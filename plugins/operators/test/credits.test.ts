/** @module-tag sessions */
import { credits as creditsToken } from '@pacioli/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OperatorsFixture, pluginWith, startOperators, textAnswer, toolAnswer } from './operators-service.ts';
import { calls } from './sample-tools.ts';

let fixture: OperatorsFixture;

beforeAll(async () => {
  fixture = await startOperators({
    more: pluginWith({
      cold: { needsModel: true, isReadOnly: true, coldStartTokens: 4_000 },
      chatty: {
        needsModel: true,
        isReadOnly: true,
        run: async ({ ai, signal }) => {
          const request = { system: '', messages: [], tools: [], maxTokens: 1_000, signal };
          const { content } = await ai.call(request);
          return { content: JSON.stringify(content), confidence: 1, metadata: {} };
        },
      },
    }),
  });
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.close());

const pools = () => fixture.service.service.services.resolve(creditsToken);
const started = (body: object = {}, type = 'analyst', query = '') =>
  fixture.user.post(`${fixture.path}/${type}${query}`, { message: 'Count', ...body });

describe('the check before a run', () => {
  it.each([
    ['quick', 'analyst', 13.5],
    ['standard', 'analyst', 37.5],
    ['extended', 'analyst', 90],
    ['streaming', 'analyst', 54],
    // 4,000 tokens at 125 % of the price of input.
    ['standard', 'cold', 52.5],
  ])('requires for %s of %s %d credits, and accepts exactly them (ai-surface OP-41)', async (mode, type, required) => {
    await fixture.setBalance(required - 0.01);
    const refused = await started({ mode }, type);
    expect([refused.status, refused.body.code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    expect(refused.body).toMatchObject({ required_credits: required, available_credits: required - 0.01 });
    expect(refused.body.detail).toMatch(/^Insufficient credits for (Analyst|Plain) Operator\. Required: /);
    await fixture.setBalance(required);
    const { status, body } = await started({ mode }, type);
    expect(status).toBe(202);
    await fixture.user.follow(body.operation_id);
  });

  it('passes although the first call cannot be reserved, which a caller who waits gets as 402 (ai-surface OP-43)', async () => {
    // The estimate of the run is 37.5 credits; the call reserves 60 for its longest answer.
    await fixture.setBalance(37.5);
    const { status, body } = await started({ enable_rag: false }, 'analyst', '?mode=sync');
    expect([status, body.code, body.available_credits]).toEqual([402, 'INSUFFICIENT_CREDITS', 37.5]);
    expect(body.detail).toMatch(/^Insufficient credits for Analyst Operator\. Required: /);
    expect(fixture.model.requests).toEqual([]);
    const ended = await fixture.user.get(`/v1/operations/${body.operation_id}/status`);
    expect(ended.body).toMatchObject({ status: 'failed', error_details: { code: 'INSUFFICIENT_CREDITS' } });
  });

  it('is made again by the worker, which fails the run if the pool is empty (ai-surface OP-41, platform C-12)', async () => {
    await fixture.setBalance(1_000);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    fixture.model.answerWith = async () => {
      await held;
      // As much as was reserved, so that nothing comes back.
      return textAnswer('x', { input: 0, output: 4_000 });
    };
    // The worker executes four runs at once, so the fifth waits in the queue.
    const running = await Promise.all([1, 2, 3, 4].map(() => started({ enable_rag: false })));
    await expect.poll(() => fixture.model.requests.length).toBe(4);
    const queued = await started();
    await fixture.setBalance(0);
    release();
    const ended = await fixture.user.follow(queued.body.operation_id);
    expect(ended.body).toMatchObject({ status: 'failed', error_details: { code: 'INSUFFICIENT_CREDITS' } });
    for (const { body } of running) await fixture.user.follow(body.operation_id);
  });
});

describe('the model calls of a run', () => {
  it('are charged one by one with their tokens, operation and user (ai-surface OP-45, OP-46)', async () => {
    await fixture.setBalance(1_000);
    fixture.model.answerWith = async ({ messages }) =>
      messages.length === 1
        ? toolAnswer('read-graph-cypher', { query: 'x' })
        : textAnswer('Three.', { input: 12_000, output: 1_800, cacheRead: 20_000 });
    const { result } = await fixture.ask({ message: 'Count', enable_rag: false });
    // 3 + 3 credits, then 36 + 27 + 6 as in the example of OP-40.
    expect(result.metadata).toMatchObject({ credits_consumed: 75, call_count: 2, has_credit_tracking: true });
    expect(result.tokens_used).toEqual({ input: 13_000, output: 2_000, cache_read: 20_000, cache_write: 0 });
    expect(await fixture.balance()).toBe(925);
    const [second, first] = await fixture.transactions();
    expect([first.amount, second.amount]).toEqual([-6, -69]);
    expect(second).toMatchObject({
      metadata: {
        model: 'offline',
        input_tokens: 32_000,
        output_tokens: 1_800,
        cached_input_tokens: 20_000,
        operation_id: result.operation_id,
        operator: 'Analyst Operator',
        user_id: expect.stringMatching(/^user_/),
      },
    });
  });

  it('are reserved, charged and counted once each when another worker repeats a stopped run (ai-surface OP-44, OP-53, platform C-11)', async () => {
    await fixture.setBalance(1_000);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    fixture.model.answerWith = async ({ messages }) => {
      if (fixture.model.requests.length === 2) await held;
      return messages.length === 1 ? toolAnswer('read-graph-cypher', { query: 'x' }) : textAnswer('Three.');
    };
    const { body } = await started({ enable_rag: false, max_credits: 12 });
    await expect.poll(() => fixture.model.requests.length).toBe(2);
    await fixture.service.service.drain();
    await fixture.service.service.startWorker();
    const ended = (await fixture.user.follow(body.operation_id)).body;
    expect(ended.status).toBe('completed');
    // With the call before the stop, and without the one that is still waited for.
    expect(ended.result.metadata).toMatchObject({ credits_consumed: 18, call_count: 3, hit_credit_ceiling: true });
    expect(ended.result.tokens_used).toMatchObject({ input: 3_000, output: 600 });
    // The provider answers the interrupted call too, although no run waits for it any more.
    release();
    const charged = async () =>
      (await fixture.transactions()).filter(
        ({ metadata }: { metadata: { operation_id?: string } }) => metadata.operation_id === body.operation_id,
      );
    await expect.poll(async () => (await charged()).length).toBe(4);
    expect(fixture.model.requests).toHaveLength(4);
    expect((await charged()).map(({ amount }: { amount: number }) => amount)).toEqual([-6, -6, -6, -6]);
    expect(await fixture.balance()).toBe(976);
  });

  it('are made once for requests with one idempotency key, also when the pool is empty by then (ai-surface OP-11)', async () => {
    await fixture.setBalance(1_000);
    fixture.model.answerWith = async () => textAnswer('Three.');
    const send = (message: string, key: string, query = '') =>
      fixture.user
        .withHeaders({ 'Idempotency-Key': key })
        .post(`${fixture.path}/analyst${query}`, { message, enable_rag: false });
    const sent = await Promise.all(Array.from({ length: 3 }, () => send('Count', 'once')));
    const [id] = new Set(sent.map(({ body }) => body.operation_id));
    expect(sent.map(({ status, body }) => [status, body.operation_id])).toEqual(Array(3).fill([202, id]));
    expect((await fixture.user.follow(id)).body.status).toBe('completed');
    expect(fixture.model.requests).toHaveLength(1);
    expect(await fixture.balance()).toBe(994);
    await fixture.setBalance(0);
    expect((await send('Count', 'once', '?mode=sync')).body).toMatchObject({ operation_id: id, content: 'Three.' });
    const another = await send('Count again', 'once');
    expect([another.status, another.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await send('Count', 'twice')).status).toBe(402);
    expect((await send('Count', 'a b')).status).toBe(422);
    expect(fixture.model.requests).toHaveLength(1);
  });

  it('warn if their tokens are estimated, because the provider did not report them (ai-surface OP-40)', async () => {
    await fixture.setBalance(1_000);
    fixture.model.answerWith = async () => ({ ...textAnswer('Three.'), isUsageEstimated: true });
    const { result } = await fixture.ask({ message: 'Count', enable_rag: false });
    expect(result.metadata.credits_consumed).toBe(6);
    expect(fixture.warnings).toContain('the provider did not report all tokens of a model call, so they are estimated');
  });

  it('never overspend one balance, with 20 runs in parallel (ai-surface OP-42)', async () => {
    await fixture.setBalance(100);
    // Each call reserves 15 credits for its 1,000 output tokens and more for its input, and uses them fully.
    fixture.model.answerWith = async () => textAnswer('x', { input: 20, output: 1_000 });
    const accepted = await Promise.all(Array.from({ length: 20 }, () => started({}, 'chatty')));
    const ends = await Promise.all(
      accepted.filter(({ status }) => status === 202).map(({ body }) => fixture.user.follow(body.operation_id)),
    );
    const completed = ends.filter(({ body }) => body.status === 'completed').length;
    const balance = await fixture.balance();
    expect(balance).toBeGreaterThanOrEqual(0);
    expect(balance).toBeCloseTo(100 - completed * 15.06, 2);
    expect(completed).toBeGreaterThanOrEqual(1);
    expect(completed).toBeLessThanOrEqual(6);
    for (const { body } of ends.filter((end) => end.body.status !== 'completed'))
      expect(body.error_details.code).toBe('INSUFFICIENT_CREDITS');
    expect(fixture.model.requests).toHaveLength(completed);
  });

  it('end with one that the pool cannot pay, whose answer is returned (ai-surface OP-43)', async () => {
    await fixture.setBalance(200);
    fixture.model.answerWith = async () => ({
      ...toolAnswer('create-report'),
      content: [{ type: 'text', text: 'I will write.' }, ...toolAnswer('create-report').content],
      usage: { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 },
    });
    const { status, result } = await fixture.ask({ message: 'Write', enable_rag: false }, { type: 'author' });
    expect(status).toBe('completed');
    expect(result).toMatchObject({ content: 'I will write.', is_partial: true, confidence_score: 0.5 });
    expect(result.error_details.code).toBe('INSUFFICIENT_CREDITS');
    expect(fixture.model.requests).toHaveLength(1);
    expect(calls.some((call) => call.startsWith('create-report'))).toBe(false);
  });

  it('end with the rows so far if the next one cannot be reserved (ai-surface OP-13, OP-42)', async () => {
    await fixture.setBalance(90);
    fixture.model.answerWith = async () => ({
      ...toolAnswer('read-graph-cypher', { query: 'x' }),
      usage: { input: 10_000, output: 0, cacheRead: 0, cacheWrite: 0 },
    });
    const { result } = await fixture.ask({ message: 'Count', enable_rag: false });
    expect(result.error_details).toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    expect(result.metadata.rows).toEqual([{ label: 'Berth', nodes: 3 }]);
    expect(await fixture.balance()).toBe(60);
  });

  it('leave a reservation that expires when the process dies between a call and its charge (platform C-8)', async () => {
    await fixture.setBalance(500);
    const call = { operationId: 'op_died', callIndex: 10_000, operationType: 'x', userId: 'user_1', requestId: 'r' };
    await pools().reserve({ graphId: fixture.graphId }, call, {
      model: 'offline',
      inputTokens: 0,
      outputTokens: 4_000,
    });
    expect(await fixture.balance()).toBe(440);
    fixture.clock.advance(299_000);
    await pools().releaseUnsettled();
    expect(await fixture.balance()).toBe(440);
    fixture.clock.advance(2_000);
    await pools().releaseUnsettled();
    expect(await fixture.balance()).toBe(500);
  });
});

it('a run whose call cannot be charged makes no further one and returns its answer (ai-surface OP-43)', async () => {
  await fixture.setBalance(500);
  // So many tokens have no price that the store can hold, so charging for them fails.
  const tokens = { input: Number.MAX_SAFE_INTEGER * 4_000, output: 0, cacheRead: 0, cacheWrite: 0 };
  fixture.model.answerWith = async () => ({ ...toolAnswer('read-graph-cypher', { query: 'x' }), usage: tokens });
  const { result } = await fixture.ask({ message: 'Count', enable_rag: false });
  expect(result).toMatchObject({ is_partial: true, error_details: { code: 'INSUFFICIENT_CREDITS' } });
  expect(fixture.model.requests).toHaveLength(1);
});
