import { defineCase } from '../src/define-case.ts';
import { valueAt } from '../src/expectations.ts';
import { listOf, objectOf } from '../src/json.ts';

export default defineCase({
  id: 'PLAT-014',
  level: 'MUST',
  title: 'a new graph has the credits of its tier, and its balance is the sum of its transactions',
  clause: 'platform C-4, C-5, C-13, C-14',
  requires: ['GET /v1/graphs/{graph_id}/credits'],
  async run({ graph, expectStatus, expectThat, anonymous }) {
    const [owner, id] = [await graph.owner(), await graph.id()];
    const summary = await owner.get(`/v1/graphs/${id}/credits`);
    expectStatus(200, summary);
    const transactions = await owner.get(`/v1/graphs/${id}/credits/transactions`);
    expectStatus(200, transactions);
    const cents = listOf(valueAt(transactions, 'transactions'))
      .map((row) => Math.round(Number(objectOf(row)['amount']) * 100))
      .reduce((sum, amount) => sum + amount, 0);
    const balance = Math.round(Number(valueAt(summary, 'current_balance')) * 100);
    expectThat(cents === balance, `The transactions sum to ${cents / 100}, the balance is ${balance / 100}`);
    const offering = await anonymous.get('/v1/offering');
    expectStatus(200, offering);
    const tiers = listOf(valueAt(offering, 'graph_subscriptions.tiers')).map(objectOf);
    const tier = tiers.find(({ name }) => name === valueAt(summary, 'graph_tier'));
    const allocation = Number(valueAt(summary, 'monthly_allocation'));
    expectThat(
      tier !== undefined && Number(tier['monthly_credits_per_graph']) === allocation,
      `The offering and the pool must have equal monthly credits; the pool has ${allocation}`,
    );
    expectStatus(422, await owner.get(`/v1/graphs/${id}/credits/transactions?limit=0`));
    expectStatus(422, await owner.get(`/v1/graphs/${id}/credits/transactions?transaction_type=nonsense`));
  },
});
