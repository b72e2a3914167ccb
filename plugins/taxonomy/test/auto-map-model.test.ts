// Goal: a language model is called for what the scorer does not know, its answers are validated and its calls are
// charged (AM-2 to AM-12).
// Method: a real service; the vendor of the model is a double that answers in text, as vendors do.
import { credits as creditsToken } from '@pacioli/core';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import { joinTeam, startTestService, type TestClient, type TestService, teamSettings } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import taxonomy from '../src/index.ts';
import { arcsOf, autoMap, type Books, books, ledgerDomain, mappedBy, type Row } from './auto-map-books.ts';
import { oracle, vendor } from './fake-model.ts';

let service: TestService;
let user: TestClient;

beforeAll(async () => {
  service = await startTestService({ plugins: [ledgerDomain, taxonomy, oracle], settings: teamSettings });
});
beforeEach(async () => {
  user = await service.newUser('Ada');
  vendor.held = Promise.resolve();
  vendor.answer = (objects) => JSON.stringify(objects);
  vendor.asked.length = 0;
  vendor.prompts.length = 0;
});
afterAll(() => service.close());

const strange = (count: number, name = 'Zyzzyva'): readonly Row[] =>
  Array.from({ length: count }, (_, index) => [
    `${1000 + index}`,
    `${name} ${'abcdefghijklmnopqrstuvwxyz'[index]}`,
    'asset',
  ]);

describe('auto-map-elements with a model', () => {
  it('calls the model in tens for accounts without a confident score, and rejects targets that were not offered (taxonomy AM-6 to AM-8)', async () => {
    const own = await books(user, 'Asked', [
      ...strange(12),
      ['2000', 'Cash', 'asset'],
      ['2001', 'Silent partner', 'asset'],
    ]);
    const result = await mappedBy(user, own);
    expect(vendor.asked.map((names) => names.length)).toEqual([10, 3, 1]);
    expect(vendor.asked.flat()).not.toContain('Cash');
    expect(result).toMatchObject({ mapped: 13, skipped: 1, passes: 2, stop_reason: 'no_progress', engine: 'mixed' });
    const arcs = await arcsOf(user, own);
    expect(arcs.get('Zyzzyva a')).toMatchObject({ confidence: 0.95, approvedBy: 'auto' });
    expect(arcs.has('Silent partner')).toBe(false);
  });

  it('keeps less confident answers for review (taxonomy AM-9)', async () => {
    const own = await books(user, 'Doubt', strange(1, 'Quokka'));
    expect(await mappedBy(user, own)).toMatchObject({
      mapped: 0,
      flagged: 1,
      engine: 'model',
      stop_reason: 'complete',
    });
    expect((await arcsOf(user, own)).get('Quokka a')).toMatchObject({ confidence: 0.75, approvedBy: null });
  });

  it('joins a second request to the open run, and reports batches of ten (taxonomy AM-1, AM-12)', async () => {
    const own = await books(user, 'Joined', strange(25));
    let release: () => void = () => undefined;
    vendor.held = new Promise((resolve) => {
      release = resolve;
    });
    const first = await autoMap(user, own);
    await expect.poll(() => vendor.asked.length, { timeout: 300_000 }).toBe(2);
    const second = await autoMap(user, own);
    expect(second.status).toBe(202);
    expect(second.body).toMatchObject({
      operationId: first.body.operationId,
      status: 'pending',
      result: { deduplicated: true, mapping_id: own.mappingId },
    });
    release();
    expect((await user.follow(first.body.operationId)).body.result).toMatchObject({ mapped: 25 });
    const messages: string[] = [];
    for await (const { event, data } of user.stream(`/v1/operations/${first.body.operationId}/stream`)) {
      if (event === 'operation_progress') messages.push(`${data.progress_percent} ${data.message}`);
      if (event === 'operation_completed') break;
    }
    expect(messages.slice(0, -1)).toEqual([
      '0 Found 25 unmapped elements',
      '39 Processed 10/25 elements',
      '79 Processed 20/25 elements',
      '99 Processed 25/25 elements',
    ]);
    expect(messages.at(-1)).toMatch(/^100 Mapping stopped \(complete\)/);
    // The run has ended, so the next request starts another run, even within the seconds of a double click.
    const third = await autoMap(user, own);
    expect(third.body.operationId).not.toBe(first.body.operationId);
    expect(third.body.result).toMatchObject({ deduplicated: false });
  });

  it('lets a colleague who joined the run read it, and not cancel it (taxonomy AM-1, platform L-16)', async () => {
    const own = await books(user, 'Together', strange(5));
    const { client, userId } = await joinTeam(service, user);
    const granted = await user.post(`/v1/graphs/${own.graphId}/members`, { user_id: userId, role: 'member' });
    expect(granted.status, JSON.stringify(granted.body)).toBeLessThan(300);
    let release: () => void = () => undefined;
    vendor.held = new Promise((resolve) => {
      release = resolve;
    });
    const { operationId } = (await autoMap(user, own)).body;
    const status = `/v1/operations/${operationId}/status`;
    expect((await client.get(status)).status).toBe(403);
    expect((await autoMap(client, own)).body).toMatchObject({ operationId, result: { deduplicated: true } });
    expect((await client.get(status)).status).toBe(200);
    expect((await client.request('DELETE', `/v1/operations/${operationId}`)).status).toBe(403);
    release();
    expect((await client.follow(operationId)).body.result).toMatchObject({ mapped: 5 });
  });

  it('keeps the arcs of a cancelled run, and a second run maps the rest once (taxonomy AM-10, AM-12)', async () => {
    const own = await books(user, 'Cancelled', strange(25));
    let release: () => void = () => undefined;
    vendor.held = new Promise((resolve) => {
      release = resolve;
    });
    const first = await autoMap(user, own);
    await expect.poll(() => vendor.asked.length, { timeout: 300_000 }).toBe(2);
    const cancelled = await user.request('DELETE', `/v1/operations/${first.body.operationId}`);
    expect(cancelled.body).toMatchObject({ cancelled: true });
    release();
    expect((await user.follow(first.body.operationId)).body.status).toBe('cancelled');
    expect((await arcsOf(user, own)).size).toBe(10);
    expect(await mappedBy(user, own)).toMatchObject({ mapped: 15, stop_reason: 'complete', coverage_percent: 100 });
    expect((await arcsOf(user, own)).size).toBe(25);
  });
});

describe('worker that stops after one batch', () => {
  it('leaves its run to the next worker, which maps the rest once (taxonomy AM-10)', { timeout: 300_000 }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    const plugins = [ledgerDomain, taxonomy, oracle];
    const dying = await startTestService({ plugins, store });
    user = await dying.newUser('Ada');
    const own = await books(user, 'Killed', strange(25));
    let release: () => void = () => undefined;
    vendor.held = new Promise((resolve) => {
      release = resolve;
    });
    const { operationId } = (await autoMap(user, own)).body;
    await expect.poll(() => vendor.asked.length, { timeout: 300_000 }).toBe(2);
    const { headers } = user;
    await dying.close();
    release();
    vendor.held = Promise.resolve();
    const next = await startTestService({ plugins, store });
    user = next.anonymous.withHeaders(headers);
    const ended = await user.follow(operationId);
    expect(ended.body).toMatchObject({ status: 'completed', result: { mapped: 15, stop_reason: 'complete' } });
    expect((await arcsOf(user, own)).size).toBe(25);
    await next.close();
    await dispose();
    await driver.stop();
  });
});

describe('model calls', () => {
  const usage = vendor.usage;
  const pool = async ({ graphId }: Books) => {
    const { body } = await user.get(`/v1/graphs/${graphId}/credits`);
    const list = await user.get(`/v1/graphs/${graphId}/credits/transactions?transaction_type=consumption`);
    return { balance: body.current_balance, calls: list.body.transactions };
  };
  const spend = async ({ graphId }: Books, credits: number) => {
    const pools = service.service.services.resolve(creditsToken);
    const call = {
      operationId: `op_earlier_${graphId}`,
      callIndex: 0,
      operationType: 'x',
      userId: 'user_1',
      requestId: 'r',
    };
    // One credit of the standard class pays for 1,000 / 15 output tokens.
    await pools.settle({ graphId }, call, {
      model: 'anthropic_claude_4_sonnet',
      inputTokens: 0,
      outputTokens: Math.round((credits * 1_000) / 15),
    });
  };

  it('sends all data for the choice, and requests a short and stable answer (taxonomy AM-7)', async () => {
    const own = await books(user, 'Prompt', [['1000', 'Zyzzyva a', 'asset', { sub_classification: 'bank' }]]);
    await mappedBy(user, own);
    const [prompt] = vendor.prompts;
    expect(prompt).toMatchObject({ maxOutputTokens: 8_000, system: expect.stringContaining('JSON array') });
    expect(prompt?.temperature).toBeLessThanOrEqual(0.3);
    const { accounts, candidates } = JSON.parse(prompt?.user ?? '');
    expect(accounts).toEqual([
      {
        id: own.ids.get('Zyzzyva a'),
        code: '1000',
        name: 'Zyzzyva a',
        trait: 'asset',
        balance: 'debit',
        external_source: null,
        sub_classification: 'bank',
        parent: null,
      },
    ]);
    expect(candidates.length).toBeGreaterThan(10);
    expect(Object.keys(candidates[0])).toEqual(['id', 'qname', 'label', 'trait', 'depth']);
  });

  it('tolerates unreadable answers, and charges each call once (taxonomy AM-2, AM-8)', async () => {
    const own = await books(user, 'Charged', strange(12));
    const before = await pool(own);
    vendor.answer = (objects) =>
      `Sure:\n\`\`\`json\n${JSON.stringify(objects.slice(0, -3))}\n\`\`\`\nand ${JSON.stringify(objects.slice(-3)).slice(0, -1)}, {"elem`;
    expect(await mappedBy(user, own)).toMatchObject({
      mapped: 12,
      skipped: 0,
      engine: 'model',
      stop_reason: 'complete',
    });
    const after = await pool(own);
    // 1,000 input and 200 output tokens cost 3 + 3 credits.
    expect(after.balance).toBe(before.balance - 12);
    expect(after.calls).toMatchObject([{ amount: -6 }, { amount: -6 }]);

    const garbled = await books(user, 'Garbled', strange(3));
    const full = await pool(garbled);
    vendor.answer = () => 'I cannot help with that.';
    expect(await mappedBy(user, garbled)).toMatchObject({ mapped: 0, skipped: 3, stop_reason: 'no_progress' });
    expect((await arcsOf(user, garbled)).size).toBe(0);
    expect((await pool(garbled)).balance).toBe(full.balance - 6);
  });

  it('calls no model without credits: the scorer decides alone, free of charge (taxonomy AM-2)', async () => {
    const own = await books(user, 'Poor', [...strange(2), ['2000', 'Cash', 'asset']]);
    await spend(own, (await pool(own)).balance);
    const { balance } = await pool(own);
    expect(balance).toBeLessThanOrEqual(0);
    expect(await mappedBy(user, own)).toMatchObject({ mapped: 1, engine: 'deterministic', stop_reason: 'no_progress' });
    expect(vendor.asked).toEqual([]);
    expect((await pool(own)).balance).toBe(balance);
  });

  it('stops model calls when the credits are used up, and the scorer finishes the pass (taxonomy AM-11)', async () => {
    const own = await books(user, 'Exhausted', [
      ...strange(12),
      ['2000', 'Cash', 'asset'],
      ['3000', 'Common stock', 'equity'],
    ]);
    // The rest covers the estimate of one call, whose charge leaves too little for a second.
    await spend(own, (await pool(own)).balance - 200);
    vendor.usage = { inputTokens: 1_000, outputTokens: 9_000 };
    const result = await mappedBy(user, own);
    expect(vendor.asked).toHaveLength(1);
    expect(result).toMatchObject({ stop_reason: 'insufficient_credits', engine: 'mixed', passes: 1 });
    expect(result.message).toContain('insufficient_credits');
    expect((await arcsOf(user, own)).has('Common stock')).toBe(true);
    expect(result.mapped + result.flagged).toBe((await arcsOf(user, own)).size);
  });

  it('completes the run when the vendor is unavailable, and does not charge the call (taxonomy AM-2, platform C-10)', async () => {
    const own = await books(user, 'Away', [...strange(1), ['2000', 'Cash', 'asset']]);
    const { balance } = await pool(own);
    vendor.answer = () => {
      throw new Error('The vendor is away.');
    };
    expect(await mappedBy(user, own)).toMatchObject({ mapped: 1, skipped: 1, engine: 'deterministic' });
    expect((await pool(own)).balance).toBe(balance);
  });

  beforeEach(() => {
    vendor.usage = usage;
  });
});
