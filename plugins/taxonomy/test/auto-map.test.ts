// Goal: auto-map-elements works through HTTP: accepted, joined, carried out by a worker in batches, resumable.
// Method: a real service with a plugin that owns the domain `ledger`, and guards that a test can arm.
import { contribute, definePlugin } from '@pacioli/core';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import { joinTeam, startTestService, type TestClient, type TestService, teamSettings } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mappingModels } from '../src/auto-map-tokens.ts';
import taxonomy, { elementGuards } from '../src/index.ts';

const closedIds = new Set<string>();

/** Owns the domain, and knows closed months. */
const ledgerDomain = definePlugin({
  name: 'ledger-domain',
  title: 'Owner of the domain',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'ledger',
  dependsOn: ['taxonomy'],
  contributions: [
    contribute(elementGuards, 'test-history', {
      create: () => ({
        used: async () => [],
        closedMonths: async (_tx, ids) =>
          ids.some((id) => closedIds.has(id)) ? { count: 1, first: '2025-01', last: '2025-01' } : undefined,
      }),
    }),
  ],
});

let service: TestService;
let user: TestClient;

const model: {
  /** The answers to come, in order of the questions; a held one waits until it is let go. */
  held: Promise<void>;
  readonly asked: (readonly string[])[];
} = { held: Promise.resolve(), asked: [] };

/** Names that no synonym knows are cash to this model; it is asked outside of any transaction, so a test can hold it. */
const oracle = definePlugin({
  name: 'oracle',
  title: 'A model that knows cash',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['taxonomy'],
  contributions: [
    contribute(mappingModels, 'oracle', {
      create: () => ({
        propose: async ({ accounts, candidates }) => {
          model.asked.push(accounts.map(({ name }) => name));
          if (model.asked.length > 1) await model.held;
          const cash = candidates.find(({ element }) =>
            element.qname.endsWith(':CashAndCashEquivalentsAtCarryingValue'),
          );
          return accounts.flatMap(({ id, name }) => {
            const confidence = name.startsWith('Zyzzyva') ? 0.95 : 0.75;
            const answer = { accountId: id, targetId: cash?.element.id ?? null, confidence };
            const foreign = { accountId: id, targetId: 'not offered', confidence: 0.99 };
            return name.startsWith('Silent') ? [] : [{ ...answer, confidence: 0.1 }, answer, foreign];
          });
        },
      }),
    }),
  ],
});

let modelService: TestService;

beforeAll(async () => {
  service = await startTestService({ plugins: [ledgerDomain, taxonomy] });
  modelService = await startTestService({ plugins: [ledgerDomain, taxonomy, oracle], settings: teamSettings });
});
beforeEach(async () => {
  user = await service.newUser('Ada');
  model.held = Promise.resolve();
  model.asked.length = 0;
});
afterAll(async () => {
  await service.close();
  await modelService.close();
});

interface Books {
  readonly graphId: string;
  readonly mappingId: string;
  readonly ids: ReadonlyMap<string, string>;
}

type Row = readonly [code: string, name: string, trait: string, more?: object];

async function books(name: string, rows: readonly Row[]): Promise<Books> {
  const graphId = await user.createGraph(name, ['ledger']);
  const answer = await user.post(`/extensions/ledger/${graphId}/operations/create-taxonomy-block`, {
    name: 'Chart of Accounts',
    taxonomy_type: 'chart_of_accounts',
    elements: rows.map(([code, account, trait, more]) => ({
      qname: `coa:${code}`,
      code,
      name: account,
      trait,
      ...more,
    })),
    structures: [{ name: 'CoA to US GAAP Mapping', block_type: 'coa_mapping' }],
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { result } = answer.body;
  const ids = result.elements.map((element: { name: string; id: string }) => [element.name, element.id]);
  return { graphId, mappingId: result.structures[0].id, ids: new Map(ids) };
}

const autoMap = ({ graphId, mappingId }: Books, client = user) =>
  client.post(`/extensions/ledger/${graphId}/operations/auto-map-elements`, { mapping_id: mappingId });

async function mappedBy(of: Books) {
  const accepted = await autoMap(of);
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(202);
  const ended = await user.follow(accepted.body.operationId);
  expect(ended.body.status, JSON.stringify(ended.body)).toBe('completed');
  return ended.body.result;
}

interface Arc {
  readonly fromElementName: string;
  readonly toElementQname: string;
  readonly confidence: number;
  readonly suggestedBy: string;
  readonly approvedBy: string | null;
}

async function arcsOf({ graphId, mappingId }: Books): Promise<ReadonlyMap<string, Arc>> {
  const { body } = await user.graphql(
    graphId,
    `query ($id: String!) { mapping(mappingId: $id) { associations {
      fromElementName toElementQname confidence suggestedBy approvedBy } } }`,
    { id: mappingId },
  );
  expect(body.errors).toBeUndefined();
  const arcs: readonly Arc[] = body.data.mapping.associations;
  const byName = new Map(arcs.map((arc) => [arc.fromElementName, arc]));
  expect(byName.size).toBe(arcs.length); // No account twice.
  return byName;
}

const plain: readonly Row[] = [
  ['1000', 'Cash', 'asset'],
  ['1300', 'Prepaid Insurance', 'asset'],
  ['1390', 'Misc Clearing', 'asset'],
  ['2000', 'Accounts payable', 'liability'],
  ['3000', 'Common stock', 'equity'],
  ['4000', 'Consulting revenue', 'revenue'],
  ['1500', 'Restaurant furniture', 'asset'],
];

describe('auto-map-elements', () => {
  it('answers pending with links, and writes what it is sure of as approved (taxonomy AM-1, AM-9, AM-12)', async () => {
    const own = await books('Plain', plain);
    const accepted = await autoMap(own);
    expect(accepted.status).toBe(202);
    const { operationId } = accepted.body;
    expect(accepted.body).toMatchObject({
      operation: 'auto-map-elements',
      status: 'pending',
      result: {
        operation_type: 'auto-map-elements',
        deduplicated: false,
        _links: { status: `/v1/operations/${operationId}/status`, cancel: `/v1/operations/${operationId}` },
      },
    });
    const ended = await user.follow(operationId);
    const { result } = ended.body;
    expect(result).toMatchObject({ unclassified: 0, passes: 1, stop_reason: 'no_progress', engine: 'deterministic' });
    expect(result.mapped + result.flagged + result.skipped).toBe(plain.length);
    expect(result.message).toMatch(/^Mapping stopped \(no_progress\) after 1 pass/);
    const arcs = await arcsOf(own);
    expect(arcs.get('Prepaid Insurance')).toEqual({
      fromElementName: 'Prepaid Insurance',
      toElementQname: 'rs-gaap:PrepaidExpenseCurrent',
      confidence: expect.any(Number),
      suggestedBy: 'mapping-operator',
      approvedBy: 'auto',
    });
    expect(arcs.has('Misc Clearing')).toBe(false);
    expect(result.coverage_percent).toBeCloseTo((arcs.size / plain.length) * 100, 5);
    for (const { confidence, approvedBy } of arcs.values()) {
      expect(confidence).toBeGreaterThanOrEqual(0.7);
      expect(approvedBy).toBe(confidence >= 0.9 ? 'auto' : null);
    }
    const flagged = [...arcs.values()].filter(({ approvedBy }) => approvedBy === null);
    expect(flagged).toHaveLength(result.flagged);
    expect(flagged.map(({ fromElementName }) => fromElementName)).toEqual(['Restaurant furniture']);
  });

  it('maps what there is once, and finds nothing to do on a mapped chart (taxonomy AM-3)', async () => {
    const own = await books('Full', [['1000', 'Cash', 'asset']]);
    expect(await mappedBy(own)).toMatchObject({ mapped: 1, stop_reason: 'complete', coverage_percent: 100 });
    const again = await mappedBy(own);
    expect(again).toMatchObject({ mapped: 0, flagged: 0, skipped: 0, passes: 0, stop_reason: 'complete' });
    expect((await arcsOf(own)).size).toBe(1);
  });

  it('refuses an unknown mapping before it queues anything (taxonomy AM-1)', async () => {
    const own = await books('Unknown', [['1000', 'Cash', 'asset']]);
    const answer = await autoMap({ ...own, mappingId: 'struct_nothing' });
    expect(answer.status).toBe(404);
    expect((await arcsOf(own)).size).toBe(0);
  });

  it('skips what a closed month protects, with the reason, and retired accounts altogether (taxonomy AM-10, T-40)', async () => {
    const own = await books('Closed', [
      ['1000', 'Cash', 'asset'],
      ['1010', 'Petty cash', 'asset'],
      ['1020', 'Savings', 'asset', { is_active: true }],
    ]);
    closedIds.add(own.ids.get('Petty cash') ?? '');
    const retire = await user.post(`/extensions/ledger/${own.graphId}/operations/update-taxonomy-block`, {
      taxonomy_id: (await taxonomyOf(own)) ?? '',
      taxonomy_type: 'chart_of_accounts',
      elements_to_update: [{ qname: 'coa:1020', is_active: false }],
    });
    expect(retire.status, JSON.stringify(retire.body)).toBe(200);
    const result = await mappedBy(own);
    expect(result).toMatchObject({ mapped: 1, skipped: 1, stop_reason: 'no_progress', coverage_percent: 50 });
    expect(result.refused_elements).toMatchObject([{ name: 'Petty cash', reason: expect.stringMatching(/2025-01/) }]);
    expect([...(await arcsOf(own)).keys()]).toEqual(['Cash']);
  });
});

async function taxonomyOf({ graphId }: Books): Promise<string | undefined> {
  const { body } = await user.graphql(graphId, '{ taxonomies { taxonomies { id taxonomyType } } }');
  const rows: readonly { readonly id: string; readonly taxonomyType: string }[] = body.data.taxonomies.taxonomies;
  return rows.find(({ taxonomyType }) => taxonomyType === 'chart_of_accounts')?.id;
}

const strange = (count: number, name = 'Zyzzyva'): readonly Row[] =>
  Array.from({ length: count }, (_, index) => [
    `${1000 + index}`,
    `${name} ${'abcdefghijklmnopqrstuvwxyz'[index]}`,
    'asset',
  ]);

describe('with a model', () => {
  beforeEach(async () => {
    user = await modelService.newUser('Ada');
  });

  it('asks in tens only about what the scorer is not sure of, and believes no foreign target (taxonomy AM-6 to AM-8)', async () => {
    const own = await books('Asked', [...strange(12), ['2000', 'Cash', 'asset'], ['2001', 'Silent partner', 'asset']]);
    const result = await mappedBy(own);
    expect(model.asked.map((names) => names.length)).toEqual([10, 3, 1]);
    expect(model.asked.flat()).not.toContain('Cash');
    expect(result).toMatchObject({ mapped: 13, skipped: 1, passes: 2, stop_reason: 'no_progress', engine: 'mixed' });
    const arcs = await arcsOf(own);
    expect(arcs.get('Zyzzyva a')).toMatchObject({ confidence: 0.95, approvedBy: 'auto' });
    expect(arcs.has('Silent partner')).toBe(false);
  });

  it('keeps for review what the model is less sure of (taxonomy AM-9)', async () => {
    const own = await books('Doubt', strange(1, 'Quokka'));
    expect(await mappedBy(own)).toMatchObject({ mapped: 0, flagged: 1, engine: 'model', stop_reason: 'complete' });
    expect((await arcsOf(own)).get('Quokka a')).toMatchObject({ confidence: 0.75, approvedBy: null });
  });

  it('joins a second request to the run that is open, and reports batches of ten (taxonomy AM-1, AM-12)', async () => {
    const own = await books('Joined', strange(25));
    let release: () => void = () => undefined;
    model.held = new Promise((resolve) => {
      release = resolve;
    });
    const first = await autoMap(own);
    await expect.poll(() => model.asked.length, { timeout: 30_000 }).toBe(2);
    const second = await autoMap(own);
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
    // It is over, so the next request is a run of its own, even within the seconds of a double click.
    const third = await autoMap(own);
    expect(third.body.operationId).not.toBe(first.body.operationId);
    expect(third.body.result).toMatchObject({ deduplicated: false });
  });

  it('lets who joined the run of a colleague read it, and not cancel it (taxonomy AM-1, platform L-16)', async () => {
    const own = await books('Together', strange(5));
    const { client, userId } = await joinTeam(modelService, user);
    const granted = await user.post(`/v1/graphs/${own.graphId}/members`, { user_id: userId, role: 'member' });
    expect(granted.status, JSON.stringify(granted.body)).toBeLessThan(300);
    let release: () => void = () => undefined;
    model.held = new Promise((resolve) => {
      release = resolve;
    });
    const { operationId } = (await autoMap(own)).body;
    const status = `/v1/operations/${operationId}/status`;
    expect((await client.get(status)).status).toBe(403);
    expect((await autoMap(own, client)).body).toMatchObject({ operationId, result: { deduplicated: true } });
    expect((await client.get(status)).status).toBe(200);
    expect((await client.request('DELETE', `/v1/operations/${operationId}`)).status).toBe(403);
    release();
    expect((await client.follow(operationId)).body.result).toMatchObject({ mapped: 5 });
  });

  it('keeps the arcs of a cancelled run, and a second run does the rest once (taxonomy AM-10, AM-12)', async () => {
    const own = await books('Cancelled', strange(25));
    let release: () => void = () => undefined;
    model.held = new Promise((resolve) => {
      release = resolve;
    });
    const first = await autoMap(own);
    await expect.poll(() => model.asked.length, { timeout: 30_000 }).toBe(2);
    const cancelled = await user.request('DELETE', `/v1/operations/${first.body.operationId}`);
    expect(cancelled.body).toMatchObject({ cancelled: true });
    release();
    expect((await user.follow(first.body.operationId)).body.status).toBe('cancelled');
    expect((await arcsOf(own)).size).toBe(10);
    expect(await mappedBy(own)).toMatchObject({ mapped: 15, stop_reason: 'complete', coverage_percent: 100 });
    expect((await arcsOf(own)).size).toBe(25);
  });
});

describe('a worker that stops after one batch', () => {
  it('leaves its run to the next worker, which does the rest once (taxonomy AM-10)', { timeout: 120_000 }, async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    const plugins = [ledgerDomain, taxonomy, oracle];
    const dying = await startTestService({ plugins, store });
    user = await dying.newUser('Ada');
    const own = await books('Killed', strange(25));
    let release: () => void = () => undefined;
    model.held = new Promise((resolve) => {
      release = resolve;
    });
    const { operationId } = (await autoMap(own)).body;
    await expect.poll(() => model.asked.length, { timeout: 30_000 }).toBe(2);
    const { headers } = user;
    await dying.close();
    release();
    model.held = Promise.resolve();
    const next = await startTestService({ plugins, store });
    user = next.anonymous.withHeaders(headers);
    const ended = await user.follow(operationId);
    expect(ended.body).toMatchObject({ status: 'completed', result: { mapped: 15, stop_reason: 'complete' } });
    expect((await arcsOf(own)).size).toBe(25);
    await next.close();
    await dispose();
    await driver.stop();
  });
});
