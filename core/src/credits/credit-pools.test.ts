import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineJob } from '../define/job.ts';
import { definePlugin } from '../define/plugin.ts';
import creditsThreshold from '../events/credits-threshold.ts';
import { eventPublisher } from '../services/events.ts';
import { kernel } from '../services/kernel-tokens.ts';
import { type Credits, credits as creditsToken } from './credits.ts';
import { turnDuePeriods } from './period-turns.ts';

const model = 'anthropic_claude_4_sonnet';
const heard: unknown[] = [];

/** Subscribes, so that alerts are stored. */
const listener = definePlugin({
  name: 'listener',
  title: 'Listens to alerts',
  version: '0.1.0',
  kernel: '^0.1.0',
  jobs: [
    defineJob({
      name: 'hear-thresholds',
      summary: 'Notes every alert.',
      on: creditsThreshold,
      seconds_max: 10,
      handle: async ({ payload }) => {
        heard.push(payload);
      },
    }),
  ],
});

const clock = fixedClock('2026-03-10T09:00:00Z');
let service: TestService;
let user: TestClient;
let credits: Credits;
let runs = 0;

beforeAll(async () => {
  service = await startTestService({ plugins: [listener], clock, settings: { orgs: { maxGraphs: 30 } } });
  const signedIn = await service.newUser('Ann');
  // A key outlives the months that these tests go through.
  const key = await signedIn.post('/v1/user/api-keys', { name: 'Long-lived' });
  user = service.anonymous.withHeaders({ 'x-api-key': key.body.key });
  credits = service.service.services.resolve(creditsToken);
});
afterAll(() => service.close());

/** A call of 1,000 × n input tokens, which costs 3 × n credits. */
const tokens = (thousands: number) => ({ model, inputTokens: thousands * 1_000, outputTokens: 0 });

function newCall() {
  runs += 1;
  return { operationId: `op_${runs}`, callIndex: 0, operationType: 'analyst', userId: 'user_1', requestId: 'req_1' };
}

async function stored(graphId: string): Promise<{ balance: number; sum: number }> {
  const [row] = await service.store.transaction('kernel', (tx) =>
    tx.query<{ balance: number; sum: number }>(sql`
      SELECT balance_hundredths AS balance, (SELECT sum(amount_hundredths)::bigint FROM kernel_credit_transaction t
        WHERE t.pool_id = p.id) AS sum
      FROM kernel_credit_pool p WHERE graph_id = ${graphId}`),
  );
  if (row === undefined) throw new Error('The graph has no pool.');
  expect(row.sum).toBe(row.balance); // Platform C-5.
  return row;
}

async function typesOf(graphId: string): Promise<readonly string[]> {
  const answer = await user.get(`/v1/graphs/${graphId}/credits/transactions`);
  return answer.body.transactions.map((row: { type: string; amount: number }) => `${row.type} ${row.amount}`);
}

/** Leaves a pool of 8,000 credits with this many. */
async function leave(graphId: string, left: number): Promise<void> {
  const grant = { credits: left - 8_000, description: 'Less for a test', idempotencyKey: `leave_${graphId}` };
  await service.store.transaction('kernel', (tx) => credits.grant(tx, { graphId }, grant));
}

function turnPeriods(): Promise<number> {
  const { services } = service.service;
  const parts = {
    store: service.store,
    clock,
    ids: services.resolve(kernel.ids),
    events: services.resolve(eventPublisher),
  };
  return turnDuePeriods(parts, new AbortController().signal);
}

describe('a pool of credits', () => {
  it('is opened with the graph and shown to its members (platform C-4, C-13)', async () => {
    const graph = await user.createGraph('Opened', []);
    const summary = await user.get(`/v1/graphs/${graph}/credits`);
    expect(summary.status).toBe(200);
    expect(summary.body).toEqual({
      graph_id: graph,
      graph_tier: 'ladybug-standard',
      current_balance: 8_000,
      monthly_allocation: 8_000,
      consumed_this_month: 0,
      transaction_count: 0,
      usage_percentage: 0,
      last_allocation_date: '2026-03-10T09:00:00.000Z',
    });
    const list = await user.get(`/v1/graphs/${graph}/credits/transactions`);
    expect(list.body.transactions).toMatchObject([
      { type: 'allocation', amount: 8_000, metadata: { allocation_type: 'initial' } },
    ]);
    const stranger = await service.newUser('Stranger');
    expect((await stranger.get(`/v1/graphs/${graph}/credits`)).status).toBe(403);
    // Opening it again changes nothing.
    await service.store.transaction('kernel', (tx) => credits.open(tx, { graphId: graph }, 'ladybug-standard'));
    expect((await stored(graph)).balance).toBe(800_000);
  });

  it('pays a call at what it cost, and the reservation is gone (platform C-8, C-9)', async () => {
    const graph = await user.createGraph('Settled', []);
    const call = newCall();
    await credits.reserve({ graphId: graph }, call, tokens(10));
    expect(await typesOf(graph)).toEqual(['reservation -30', 'allocation 8000']);
    const charge = await credits.settle({ graphId: graph }, call, { ...tokens(5), outputTokens: 1_500 });
    expect(charge).toEqual({ charged_hundredths: 3_750, isExhausted: false });
    expect(await typesOf(graph)).toEqual(['consumption -37.5', 'allocation 8000']);
    const { body } = await user.get(`/v1/graphs/${graph}/credits/transactions?transaction_type=consumption`);
    expect(body.transactions[0]).toMatchObject({
      operation_id: call.operationId,
      request_id: 'req_1',
      user_id: 'user_1',
      metadata: { operator: 'analyst', model, input_tokens: 5_000, output_tokens: 1_500 },
    });
    const summary = await user.get(`/v1/graphs/${graph}/credits`);
    expect(summary.body).toMatchObject({ current_balance: 7_962.5, consumed_this_month: 37.5, transaction_count: 1 });
    await stored(graph);
  });

  it('charges a call once, however often it is reserved and settled (platform C-11)', async () => {
    const graph = await user.createGraph('Once', []);
    const call = newCall();
    for (const _ of [1, 2]) await credits.reserve({ graphId: graph }, call, tokens(10));
    expect((await stored(graph)).balance).toBe(797_000);
    for (const _ of [1, 2]) await credits.settle({ graphId: graph }, call, tokens(2));
    await credits.reserve({ graphId: graph }, call, tokens(10));
    await credits.release(call);
    expect((await stored(graph)).balance).toBe(799_400);
    await credits.settle({ graphId: graph }, { ...call, callIndex: 1 }, tokens(2));
    expect((await stored(graph)).balance).toBe(798_800);
  });

  it('gives back what a failed call held, and what nobody settled in 300 seconds (platform C-8, C-10)', async () => {
    const graph = await user.createGraph('Released', []);
    const [failed, lost] = [newCall(), newCall()];
    await credits.reserve({ graphId: graph }, failed, tokens(10));
    await credits.release(failed);
    expect(await typesOf(graph)).toEqual(['refund 30', 'reservation -30', 'allocation 8000']);
    await credits.reserve({ graphId: graph }, lost, tokens(10));
    clock.advance(299_000);
    expect(await credits.releaseUnsettled()).toBe(0);
    clock.advance(1_000);
    // The relay's own job may have been the first.
    await credits.releaseUnsettled();
    expect((await stored(graph)).balance).toBe(800_000);
    // The call comes back late and is charged all the same.
    await credits.settle({ graphId: graph }, lost, tokens(1));
    expect((await stored(graph)).balance).toBe(799_700);
  });

  it('refuses a call that it cannot pay with both numbers, and takes nothing (platform C-8, C-12)', async () => {
    const graph = await user.createGraph('Poor', []);
    await leave(graph, 10);
    await expect(credits.reserve({ graphId: graph }, newCall(), tokens(10))).rejects.toMatchObject({
      kind: 'payment_required',
      code: 'INSUFFICIENT_CREDITS',
      message: 'Insufficient credits for analyst. Required: 30, Available: 10',
      fields: { required_credits: 30, available_credits: 10 },
    });
    expect((await stored(graph)).balance).toBe(1_000);
    await expect(credits.reserve({ graphId: 'kg00000000000000000000' }, newCall(), tokens(1))).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
    });
  });

  it('is overrun by a call under way to a tenth of its allocation and no further (platform C-8)', async () => {
    const graph = await user.createGraph('Overrun', []);
    await leave(graph, 30);
    const call = newCall();
    await credits.reserve({ graphId: graph }, call, tokens(10));
    // 900 credits, where 30 + 800 may be taken.
    expect(await credits.settle({ graphId: graph }, call, tokens(300))).toEqual({
      charged_hundredths: 83_000,
      isExhausted: true,
    });
    expect((await stored(graph)).balance).toBe(-80_000);
  });

  it('moves by the difference when the tier changes, down to nothing, and once (platform C-16)', async () => {
    const graph = await user.createGraph('Moved', []);
    const change = (tier: string) =>
      service.store.transaction('kernel', (tx) => credits.changeAllocation(tx, { graphId: graph }, tier));
    await change('ladybug-large');
    await change('ladybug-large');
    expect(await typesOf(graph)).toEqual(['bonus 24000', 'allocation 8000']);
    const call = newCall();
    await credits.settle({ graphId: graph }, call, tokens(9_000));
    expect((await stored(graph)).balance).toBe(500_000);
    await change('ladybug-standard');
    expect((await stored(graph)).balance).toBe(0);
    const summary = await user.get(`/v1/graphs/${graph}/credits`);
    expect(summary.body).toMatchObject({ graph_tier: 'ladybug-standard', monthly_allocation: 8_000 });
  });
});

describe('the list of transactions', () => {
  it('filters by type, operation and days, counts all and the filtered, and sums by operation (platform C-14)', async () => {
    const graph = await user.createGraph('Listed', []);
    await credits.settle({ graphId: graph }, newCall(), tokens(1));
    await credits.settle({ graphId: graph }, newCall(), tokens(2));
    const path = `/v1/graphs/${graph}/credits/transactions`;
    const today = clock.now().toISOString().slice(0, 10);
    const all = await user.get(`${path}?operation_type=analyst&start_date=${today}&end_date=${today}&limit=1`);
    expect(all.body).toMatchObject({
      total_count: 3,
      filtered_count: 2,
      date_range: { start: today, end: today },
      summary: { analyst: { total_amount: -9, transaction_count: 2, average_amount: -4.5 } },
    });
    expect(all.body.transactions.map((row: { amount: number }) => row.amount)).toEqual([-6]);
    expect((await user.get(`${path}?end_date=2026-03-01`)).body).toMatchObject({ filtered_count: 0, total_count: 3 });
  });

  it.each([
    'transaction_type=gift',
    'start_date=2026-02-30',
    'start_date=2026-03-02&end_date=2026-03-01',
    'limit=0',
    'limit=1001',
    'offset=-1',
  ])('refuses %s with 422 (platform C-14)', async (query) => {
    const [graph] = (await user.get('/v1/graphs')).body.graphs;
    const answer = await user.get(`/v1/graphs/${graph.graphId}/credits/transactions?${query}`);
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0].loc[0]).toBe('query');
  });
});

describe('a new period', () => {
  it('replaces what is left once a month, also of bonuses and debts (platform C-4)', async () => {
    const [rich, poor] = [await user.createGraph('Rich', []), await user.createGraph('Debtor', [])];
    await leave(rich, 9_000);
    await credits.settle({ graphId: poor }, newCall(), tokens(2_900));
    expect((await stored(poor)).balance).toBe(-70_000);
    clock.set('2026-04-01T00:00:00Z');
    for (const _ of [1, 2]) await turnPeriods();
    expect(await typesOf(rich)).toEqual(['allocation 8000', 'expiration -9000', 'bonus 1000', 'allocation 8000']);
    const { body } = await user.get(`/v1/graphs/${rich}/credits/transactions?limit=2`);
    expect(body.transactions.map((row: { idempotency_key: string }) => row.idempotency_key)).toEqual([
      `monthly_allocation_${rich}_2026-04`,
      `monthly_expiration_${rich}_2026-04`,
    ]);
    expect((await stored(poor)).balance).toBe(800_000);
  });

  it('begins every 30 days from the start for a subscriber, without drift (platform C-4)', async () => {
    const me = (await user.get('/v1/user')).body.id;
    const owner = { graphId: 'filings', subscriberId: me };
    clock.set('2026-04-10T12:00:00Z');
    await service.store.transaction('kernel', (tx) => credits.open(tx, owner, 'starter', 5_000));
    clock.set('2026-05-10T11:59:59Z');
    await turnPeriods();
    expect(await stored('filings')).toMatchObject({ balance: 500_000 });
    await credits.settle(owner, newCall(), tokens(100));
    clock.set('2026-05-12T00:00:00Z');
    await turnPeriods();
    expect(await stored('filings')).toMatchObject({ balance: 500_000 });
    const [pool] = await service.store.transaction('kernel', (tx) =>
      tx.query<{ period_started_at: Date }>(
        sql`SELECT period_started_at FROM kernel_credit_pool WHERE graph_id = 'filings'`,
      ),
    );
    expect(pool?.period_started_at.toISOString()).toBe('2026-05-10T12:00:00.000Z');
  });

  it('does not begin for a pool that was closed, and reopening starts anew (platform B-15)', async () => {
    const me = (await user.get('/v1/user')).body.id;
    const owner = { graphId: 'closed', subscriberId: me };
    const kernelDo = service.store.transaction.bind(service.store, 'kernel');
    await kernelDo((tx) => credits.open(tx, owner, 'starter', 5_000));
    await credits.settle(owner, newCall(), tokens(10));
    await kernelDo((tx) => credits.close(tx, owner));
    await expect(credits.reserve(owner, newCall(), tokens(1))).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
    await kernelDo((tx) => credits.open(tx, owner, 'advanced', 17_000));
    expect(await stored('closed')).toMatchObject({ balance: 1_700_000 });
  });
});

describe('alerts', () => {
  it('are sent once for each level and month, only the deepest of several (platform C-15)', async () => {
    const graph = await user.createGraph('Watched', []);
    const levels = async () => {
      const rows = await service.store.transaction('kernel', (tx) =>
        tx.query<{ alert_level: number }>(sql`SELECT alert_level FROM kernel_credit_pool WHERE graph_id = ${graph}`),
      );
      return rows[0]?.alert_level;
    };
    const use = (thousands: number) => credits.settle({ graphId: graph }, newCall(), tokens(thousands));
    await use(2_000);
    expect(await levels()).toBe(0);
    await use(150);
    expect(await levels()).toBe(1);
    await use(1);
    await use(600);
    expect(await levels()).toBe(3);
    // The relay delivers in its own time; the next graph is only made after it has looked.
    const sent = async () => {
      const waiting = await service.store.transaction('kernel', (tx) =>
        tx.query(sql`SELECT 1 FROM kernel_outbox WHERE topic = ${creditsThreshold.name}`),
      );
      return waiting.length === 0;
    };
    clock.advance(3_600_000);
    await expect.poll(sent, { timeout: 20_000 }).toBe(true);
    const mine = heard.filter((payload) => (payload as { graph_id: string }).graph_id === graph);
    expect(mine).toMatchObject([
      { level: 'low', balance: 1_550, allocation: 8_000 },
      { level: 'exhausted', balance: -253 },
    ]);
  });
});

describe('many callers at once', () => {
  it('keep the balance equal to the sum of its transactions and within its bounds (platform C-5, C-8)', async () => {
    const graph = await user.createGraph('Busy', []);
    const owner = { graphId: graph };
    const step = fc.record({
      call: fc.integer({ min: 0, max: 3 }),
      what: fc.constantFrom('reserve', 'settle', 'release', 'tier', 'turn'),
      thousands: fc.integer({ min: 0, max: 2_000 }),
    });
    const act = async (base: string, { call, what, thousands }: { call: number; what: string; thousands: number }) => {
      const key = { ...newCall(), operationId: `${base}_${call}` };
      if (what === 'reserve') await credits.reserve(owner, key, tokens(thousands));
      if (what === 'settle') await credits.settle(owner, key, tokens(thousands));
      if (what === 'release') await credits.release(key);
      const tier = thousands % 2 === 0 ? 'ladybug-large' : 'ladybug-standard';
      if (what === 'tier') await service.store.transaction('kernel', (tx) => credits.changeAllocation(tx, owner, tier));
      if (what === 'turn') await turnPeriods();
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        runs += 1;
        const base = `many_${runs}`;
        clock.advance(5 * 86_400_000);
        const ends = await Promise.allSettled(steps.map((one) => act(base, one)));
        for (const end of ends) {
          if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'INSUFFICIENT_CREDITS' });
        }
        const { balance } = await stored(graph);
        expect(balance).toBeGreaterThanOrEqual(-320_000);
        const again = await service.store.transaction('kernel', (tx) =>
          tx.query<{ operation_id: string; rows: number }>(sql`
            SELECT operation_id, count(*) AS rows FROM kernel_credit_transaction
            WHERE type = 'consumption' GROUP BY operation_id, metadata ->> 'call_index' HAVING count(*) > 1`),
        );
        expect(again).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});
