import { credits, defineOperation, definePlugin, openObject } from '@pacioli/core';
import graph from '@pacioli/graph';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const tokens = { model: 'anthropic_claude_4_sonnet', inputTokens: 5_000, outputTokens: 1_500 };

/** Uses credits as an operator run does: checks before it is queued, reserves, calls a model, settles. */
const runOperator = defineOperation({
  name: 'run-operator',
  summary: 'Runs an operator that calls a model once.',
  openapi: { id: 'run_operator', tag: 'operators' },
  mcp: { held: 'Only for tests.' },
  role: 'member',
  runs: 'worker',
  maxSeconds: 30,
  restartable: true,
  dedupe: false,
  input: openObject(),
  output: openObject(),
  services: { credits },
  errors: { INSUFFICIENT_CREDITS: { kind: 'payment_required', meaning: 'The credits do not cover the run.' } },
  async admit({ input, ctx, use }) {
    if (input['late'] !== true) await use.credits.requireEnough(ctx.tx, { graphId: ctx.graph.id }, 'analyst', tokens);
    return null;
  },
  async handle({ ctx, use }) {
    const owner = { graphId: ctx.graph?.id ?? '' };
    const facts = { userId: ctx.caller.userId, requestId: ctx.requestId, operationType: 'analyst' };
    const call = { ...facts, operationId: ctx.operationId, callIndex: 0 };
    await use.credits.reserve(owner, call, tokens);
    const { charged_hundredths } = await use.credits.settle(owner, call, tokens);
    return { charged: charged_hundredths / 100 };
  },
});

const operators = definePlugin({
  name: 'operators',
  title: 'Operators',
  version: '0.1.0',
  kernel: '^0.1.0',
  operations: [runOperator],
});

// Monthly allocations are due as soon as the clock says so; the service's relay runs them as in production.
const clock = fixedClock('2026-03-31T23:00:00Z');
let service: TestService;
let user: TestClient;
let id: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [graph, operators], clock });
  const signedIn = await service.newUser('Ann');
  const key = await signedIn.post('/v1/user/api-keys', { name: 'Over the month' });
  user = service.anonymous.withHeaders({ 'x-api-key': key.body.key });
  id = await user.createGraph('Books', []);
});
afterAll(() => service.close());

async function balance(): Promise<number> {
  return (await user.get(`/v1/graphs/${id}/credits`)).body.current_balance;
}

describe('graph with 10 credits left (platform section 12)', () => {
  beforeAll(async () => {
    const grant = { credits: -7_990, description: 'Nearly all of them', idempotencyKey: 'scenario-12' };
    const pools = service.service.services.resolve(credits);
    await service.store.transaction('kernel', (tx) => pools.grant(tx, { graphId: id }, grant));
    expect(await balance()).toBe(10);
  });

  it('rejects an operator run with 402 and both amounts (platform C-12)', async () => {
    const answer = await user.post(`/v1/graphs/${id}/operations/run-operator`);
    expect(answer.status).toBe(402);
    expect(answer.body).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      detail: 'Insufficient credits for analyst. Required: 37.50, Available: 10',
      required_credits: 37.5,
      available_credits: 10,
    });
  });

  it('fails a previously queued run with the same code (platform C-12)', async () => {
    const accepted = await user.post(`/v1/graphs/${id}/operations/run-operator`, { late: true });
    const ended = await user.follow(accepted.body.operationId);
    expect(ended.body).toMatchObject({
      status: 'failed',
      error_details: { code: 'INSUFFICIENT_CREDITS', required_credits: 37.5, available_credits: 10 },
    });
    expect(await balance()).toBe(10);
  });

  it('still runs Cypher queries (platform C-1, C-12)', async () => {
    const answer = await user.post(`/v1/graphs/${id}/query/cypher`, { query: 'RETURN 1 AS one' });
    expect([answer.status, answer.body.data]).toEqual([200, [{ one: 1 }]]);
    expect(await balance()).toBe(10);
  });

  it('receives its allocation in the next month, and its balance is the sum of all rows (platform C-4, C-5)', async () => {
    clock.set('2026-04-01T00:00:01Z');
    await expect.poll(balance, { timeout: 300_000 }).toBe(8_000);
    const { body } = await user.get(`/v1/graphs/${id}/credits/transactions`);
    const rows = body.transactions.map((row: { type: string; amount: number }) => [row.type, row.amount]);
    expect(rows).toEqual([
      ['allocation', 8_000],
      ['expiration', -10],
      ['bonus', -7_990],
      ['allocation', 8_000],
    ]);
    expect(rows.reduce((sum: number, [, amount]: [string, number]) => sum + amount, 0)).toBe(8_000);
  });

  it('charges the run after the new allocation (platform C-7, C-8)', async () => {
    const accepted = await user.post(`/v1/graphs/${id}/operations/run-operator`);
    const ended = await user.follow(accepted.body.operationId);
    expect(ended.body).toMatchObject({ status: 'completed', result: { charged: 37.5 } });
    expect(await balance()).toBe(7_962.5);
  });
});
