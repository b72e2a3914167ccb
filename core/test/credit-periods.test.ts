/** @module-tag sessions */
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import creditsThreshold from '../src/events/credits-threshold.ts';
import type { KernelCreditPool, KernelCreditTransaction } from '../src/rows.gen.ts';
import { type CreditFixture, startCredits, tokens } from './credit-fixture.ts';

let pools: CreditFixture;

beforeAll(async () => {
  pools = await startCredits('2026-03-10T09:00:00Z');
});
afterAll(() => pools.service.close());

describe('a new period', () => {
  it('replaces the remaining balance once a month, including bonuses and debts (platform C-4)', async () => {
    const [rich, poor] = [await pools.user.createGraph('Rich', []), await pools.user.createGraph('Debtor', [])];
    await pools.leave(rich, 9_000);
    await pools.credits.settle({ graphId: poor }, pools.newCall(), tokens(2_900));
    expect(await pools.balance(poor)).toBe(-70_000);
    pools.clock.set('2026-04-01T00:00:00Z');
    for (const _ of [1, 2]) await pools.turnPeriods();
    expect(await pools.typesOf(rich)).toEqual(['allocation 8000', 'expiration -9000', 'bonus 1000', 'allocation 8000']);
    const { body } = await pools.user.get(`/v1/graphs/${rich}/credits/transactions?limit=2`);
    expect(body.transactions.map((row: { idempotency_key: string }) => row.idempotency_key)).toEqual([
      `monthly_allocation_${rich}_2026-04`,
      `monthly_expiration_${rich}_2026-04`,
    ]);
    expect(await pools.balance(poor)).toBe(800_000);
  });

  it('starts every 30 days for a subscriber, without drift (platform C-4)', async () => {
    const me = (await pools.user.get('/v1/user')).body.id;
    const owner = { graphId: 'filings', subscriberId: me };
    pools.clock.set('2026-04-10T12:00:00Z');
    await pools.service.store.transaction('kernel', (tx) => pools.credits.open(tx, owner, 'starter', 5_000));
    pools.clock.set('2026-05-10T11:59:59Z');
    await pools.turnPeriods();
    expect(await pools.balance('filings')).toBe(500_000);
    await pools.credits.settle(owner, pools.newCall(), tokens(100));
    pools.clock.set('2026-05-12T00:00:00Z');
    await pools.turnPeriods();
    expect(await pools.balance('filings')).toBe(500_000);
    const [pool] = await pools.service.store.transaction('kernel', (tx) =>
      tx.query<Pick<KernelCreditPool, 'period_started_at'>>(
        sql`SELECT period_started_at FROM kernel_credit_pool WHERE graph_id = 'filings'`,
      ),
    );
    expect(pool?.period_started_at.toISOString()).toBe('2026-05-10T12:00:00.000Z');
  });

  it('does not start for a closed pool, and reopening starts fresh (platform B-15)', async () => {
    const me = (await pools.user.get('/v1/user')).body.id;
    const owner = { graphId: 'closed', subscriberId: me };
    const kernelDo = pools.service.store.transaction.bind(pools.service.store, 'kernel');
    await kernelDo((tx) => pools.credits.open(tx, owner, 'starter', 5_000));
    await pools.credits.settle(owner, pools.newCall(), tokens(10));
    await kernelDo((tx) => pools.credits.close(tx, owner));
    await expect(pools.credits.reserve(owner, pools.newCall(), tokens(1))).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
    });
    await kernelDo((tx) => pools.credits.open(tx, owner, 'advanced', 17_000));
    expect(await pools.balance('closed')).toBe(1_700_000);
  });
});

describe('alerts', () => {
  it('are sent once per level and month, only for the lowest of several (platform C-15)', async () => {
    const graph = await pools.user.createGraph('Watched', []);
    const levels = async () => {
      const rows = await pools.service.store.transaction('kernel', (tx) =>
        tx.query<Pick<KernelCreditPool, 'alert_level'>>(
          sql`SELECT alert_level FROM kernel_credit_pool WHERE graph_id = ${graph}`,
        ),
      );
      return rows[0]?.alert_level;
    };
    const use = (thousands: number) => pools.credits.settle({ graphId: graph }, pools.newCall(), tokens(thousands));
    await use(2_000);
    expect(await levels()).toBe(0);
    await use(150);
    expect(await levels()).toBe(1);
    await use(1);
    await use(600);
    expect(await levels()).toBe(3);
    // The relay delivers asynchronously; wait for it before the next graph is created.
    const sent = async () => {
      const waiting = await pools.service.store.transaction('kernel', (tx) =>
        tx.query(sql`SELECT 1 FROM kernel_outbox WHERE topic = ${creditsThreshold.name}`),
      );
      return waiting.length === 0;
    };
    pools.clock.advance(3_600_000);
    await expect.poll(sent, { timeout: 300_000 }).toBe(true);
    const mine = pools.heard.filter(({ graph_id }) => graph_id === graph);
    expect(mine).toMatchObject([
      { level: 'low', balance: 1_550, allocation: 8_000 },
      { level: 'exhausted', balance: -253 },
    ]);
  });
});

describe('concurrent callers', () => {
  it('keep the balance equal to the sum of its transactions and within its limits (platform C-5, C-8)', async () => {
    const graph = await pools.user.createGraph('Busy', []);
    const owner = { graphId: graph };
    const step = fc.record({
      call: fc.integer({ min: 0, max: 3 }),
      what: fc.constantFrom('reserve', 'settle', 'release', 'tier', 'turn'),
      thousands: fc.integer({ min: 0, max: 2_000 }),
    });
    const act = async (base: string, { call, what, thousands }: { call: number; what: string; thousands: number }) => {
      const key = { ...pools.newCall(), operationId: `${base}_${call}` };
      if (what === 'reserve') await pools.credits.reserve(owner, key, tokens(thousands));
      if (what === 'settle') await pools.credits.settle(owner, key, tokens(thousands));
      if (what === 'release') await pools.credits.release(key);
      const tier = thousands % 2 === 0 ? 'ladybug-large' : 'ladybug-standard';
      if (what === 'tier')
        await pools.service.store.transaction('kernel', (tx) => pools.credits.changeAllocation(tx, owner, tier));
      if (what === 'turn') await pools.turnPeriods();
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const base = pools.newCall().operationId;
        pools.clock.advance(5 * 86_400_000);
        const ends = await Promise.allSettled(steps.map((one) => act(base, one)));
        for (const end of ends) {
          if (end.status === 'rejected') expect(`${end.reason}`).toMatch(/Insufficient credits|is already charged/);
        }
        const balance = await pools.balance(graph);
        expect(balance).toBeGreaterThanOrEqual(-320_000);
        const again = await pools.service.store.transaction('kernel', (tx) =>
          tx.query<Pick<KernelCreditTransaction, 'operation_id'> & { rows: number }>(sql`
            SELECT operation_id, count(*) AS rows FROM kernel_credit_transaction
            WHERE type = 'consumption' GROUP BY operation_id, metadata ->> 'call_index' HAVING count(*) > 1`),
        );
        expect(again).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});
