/** @module-tag sessions */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CreditFixture, model, startCredits, tokens } from './credit-fixture.ts';

let pools: CreditFixture;

beforeAll(async () => {
  pools = await startCredits('2026-03-10T09:00:00Z');
});
afterAll(() => pools.service.close());

describe('a credit pool', () => {
  it('is opened with the graph and visible to its members (platform C-4, C-13)', async () => {
    const graph = await pools.user.createGraph('Opened', []);
    const summary = await pools.user.get(`/v1/graphs/${graph}/credits`);
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
    const list = await pools.user.get(`/v1/graphs/${graph}/credits/transactions`);
    expect(list.body.transactions).toMatchObject([
      { type: 'allocation', amount: 8_000, metadata: { allocation_type: 'initial' } },
    ]);
    const stranger = await pools.service.newUser('Stranger');
    expect((await stranger.get(`/v1/graphs/${graph}/credits`)).status).toBe(403);
    // Opening it again changes nothing.
    await pools.service.store.transaction('kernel', (tx) =>
      pools.credits.open(tx, { graphId: graph }, 'ladybug-standard'),
    );
    expect(await pools.balance(graph)).toBe(800_000);
  });

  it('is charged the actual cost of a call, which releases the reservation (platform C-8, C-9)', async () => {
    const graph = await pools.user.createGraph('Settled', []);
    const call = pools.newCall();
    await pools.credits.reserve({ graphId: graph }, call, tokens(10));
    expect(await pools.typesOf(graph)).toEqual(['reservation -30', 'allocation 8000']);
    const charge = await pools.credits.settle({ graphId: graph }, call, { ...tokens(5), outputTokens: 1_500 });
    expect(charge).toEqual({ charged_hundredths: 3_750, isExhausted: false });
    expect(await pools.typesOf(graph)).toEqual(['consumption -37.5', 'allocation 8000']);
    const { body } = await pools.user.get(`/v1/graphs/${graph}/credits/transactions?transaction_type=consumption`);
    expect(body.transactions[0]).toMatchObject({
      operation_id: call.operationId,
      request_id: 'req_1',
      user_id: 'user_1',
      metadata: { operator: 'analyst', model, input_tokens: 5_000, output_tokens: 1_500 },
    });
    const summary = await pools.user.get(`/v1/graphs/${graph}/credits`);
    expect(summary.body).toMatchObject({ current_balance: 7_962.5, consumed_this_month: 37.5, transaction_count: 1 });
    await pools.balance(graph);
  });

  it('charges a call once, even if it is reserved and settled repeatedly (platform C-11)', async () => {
    const graph = await pools.user.createGraph('Once', []);
    const call = pools.newCall();
    for (const _ of [1, 2]) await pools.credits.reserve({ graphId: graph }, call, tokens(10));
    expect(await pools.balance(graph)).toBe(797_000);
    for (const _ of [1, 2]) await pools.credits.settle({ graphId: graph }, call, tokens(2));
    await pools.credits.release(call);
    expect(await pools.balance(graph)).toBe(799_400);
    await pools.credits.settle({ graphId: graph }, { ...call, callIndex: 1 }, tokens(2));
    expect(await pools.balance(graph)).toBe(798_800);
  });

  it('reserves nothing for the number of a charged call, because a further call would be free (platform C-11)', async () => {
    const graph = await pools.user.createGraph('Numbered', []);
    const call = pools.newCall();
    await pools.credits.reserve({ graphId: graph }, call, tokens(10));
    await pools.credits.settle({ graphId: graph }, call, tokens(2));
    await expect(pools.credits.reserve({ graphId: graph }, call, tokens(10))).rejects.toThrow(
      `Call 0 of ${call.operationId} is already charged. Give a further call its own number.`,
    );
    expect(await pools.balance(graph)).toBe(799_400);
  });

  it('releases the reservation of a failed call, and one unsettled for 300 seconds (platform C-8, C-10)', async () => {
    const graph = await pools.user.createGraph('Released', []);
    const [failed, lost] = [pools.newCall(), pools.newCall()];
    await pools.credits.reserve({ graphId: graph }, failed, tokens(10));
    await pools.credits.release(failed);
    expect(await pools.typesOf(graph)).toEqual(['refund 30', 'reservation -30', 'allocation 8000']);
    await pools.credits.reserve({ graphId: graph }, lost, tokens(10));
    pools.clock.advance(299_000);
    expect(await pools.credits.releaseUnsettled()).toBe(0);
    pools.clock.advance(1_000);
    // The scheduled job may already have released it.
    await pools.credits.releaseUnsettled();
    expect(await pools.balance(graph)).toBe(800_000);
    // A late settlement is still charged.
    await pools.credits.settle({ graphId: graph }, lost, tokens(1));
    expect(await pools.balance(graph)).toBe(799_700);
  });

  it('refuses a call that it cannot pay for with both numbers, and charges nothing (platform C-8, C-12)', async () => {
    const graph = await pools.user.createGraph('Poor', []);
    await pools.leave(graph, 10);
    await expect(pools.credits.reserve({ graphId: graph }, pools.newCall(), tokens(10))).rejects.toMatchObject({
      kind: 'payment_required',
      code: 'INSUFFICIENT_CREDITS',
      message: 'Insufficient credits for analyst. Required: 30, Available: 10',
      fields: { required_credits: 30, available_credits: 10 },
    });
    expect(await pools.balance(graph)).toBe(1_000);
    await expect(
      pools.credits.reserve({ graphId: 'kg00000000000000000000' }, pools.newCall(), tokens(1)),
    ).rejects.toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
    });
  });

  it('can be overrun by a running call by at most a tenth of its allocation (platform C-8)', async () => {
    const graph = await pools.user.createGraph('Overrun', []);
    await pools.leave(graph, 30);
    const call = pools.newCall();
    await pools.credits.reserve({ graphId: graph }, call, tokens(10));
    // The call costs 900 credits, but at most 30 + 800 can be charged.
    expect(await pools.credits.settle({ graphId: graph }, call, tokens(300))).toEqual({
      charged_hundredths: 83_000,
      isExhausted: true,
    });
    expect(await pools.balance(graph)).toBe(-80_000);
  });

  it('changes once by the difference in allocation of a new tier, but not below zero (platform C-16)', async () => {
    const graph = await pools.user.createGraph('Moved', []);
    const change = (tier: string) =>
      pools.service.store.transaction('kernel', (tx) => pools.credits.changeAllocation(tx, { graphId: graph }, tier));
    await change('ladybug-large');
    await change('ladybug-large');
    expect(await pools.typesOf(graph)).toEqual(['bonus 24000', 'allocation 8000']);
    const call = pools.newCall();
    await pools.credits.settle({ graphId: graph }, call, tokens(9_000));
    expect(await pools.balance(graph)).toBe(500_000);
    await change('ladybug-standard');
    expect(await pools.balance(graph)).toBe(0);
    const summary = await pools.user.get(`/v1/graphs/${graph}/credits`);
    expect(summary.body).toMatchObject({ graph_tier: 'ladybug-standard', monthly_allocation: 8_000 });
  });
});

describe('the list of transactions', () => {
  it('filters by type, operation and days, counts all rows, and sums by operation (platform C-14)', async () => {
    const graph = await pools.user.createGraph('Listed', []);
    await pools.credits.settle({ graphId: graph }, pools.newCall(), tokens(1));
    await pools.credits.settle({ graphId: graph }, pools.newCall(), tokens(2));
    const path = `/v1/graphs/${graph}/credits/transactions`;
    const today = pools.clock.now().toISOString().slice(0, 10);
    const all = await pools.user.get(`${path}?operation_type=analyst&start_date=${today}&end_date=${today}&limit=1`);
    expect(all.body).toMatchObject({
      total_count: 3,
      filtered_count: 2,
      date_range: { start: today, end: today },
      summary: { analyst: { total_amount: -9, transaction_count: 2, average_amount: -4.5 } },
    });
    expect(all.body.transactions.map((row: { amount: number }) => row.amount)).toEqual([-6]);
    expect((await pools.user.get(`${path}?end_date=2026-03-01`)).body).toMatchObject({
      filtered_count: 0,
      total_count: 3,
    });
  });

  it.each([
    'transaction_type=gift',
    'start_date=2026-02-30',
    'start_date=2026-03-02&end_date=2026-03-01',
    'limit=0',
    'limit=1001',
    'offset=-1',
  ])('refuses %s with 422 (platform C-14)', async (query) => {
    const [graph] = (await pools.user.get('/v1/graphs')).body.graphs;
    const answer = await pools.user.get(`/v1/graphs/${graph.graphId}/credits/transactions?${query}`);
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0].loc[0]).toBe('query');
  });
});
