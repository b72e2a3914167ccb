import { defineCase } from '../src/define-case.ts';
import { valueAt } from '../src/expectations.ts';
import { listOf, objectOf } from '../src/json.ts';

export default defineCase({
  id: 'PLAT-015',
  level: 'MUST',
  title: 'the tiers in the offering match the limits of a graph',
  clause: 'platform T-1, T-2, T-4, T-5',
  requires: ['GET /v1/offering', 'GET /v1/graphs/{graph_id}/limits'],
  async run({ graph, anonymous, expectStatus, expectThat }) {
    const [owner, id] = [await graph.owner(), await graph.id()];
    const [offering, tiers, limits] = [
      await anonymous.get('/v1/offering'),
      await owner.get('/v1/graphs/tiers'),
      await owner.get(`/v1/graphs/${id}/limits`),
    ];
    for (const answer of [offering, tiers, limits]) expectStatus(200, answer);
    const name = String(valueAt(limits, 'graph_tier'));
    const published = listOf(valueAt(tiers, 'tiers'))
      .map(objectOf)
      .find(({ tier }) => tier === name);
    expectThat(published !== undefined, `The tier ${name} of the graph is not among the published ones`);
    const backup = objectOf(objectOf(published?.['limits'])['backup']);
    expectThat(
      valueAt(limits, 'backups.max_backups_per_day') === backup['max_backups_per_day'],
      'Backups per day must be equal in tiers and limits',
    );
    const credits = objectOf(valueAt(limits, 'credits'))['monthly_ai_credits'];
    if (credits !== undefined)
      expectThat(credits === published?.['monthly_credits'], 'Monthly credits must be equal in tiers and limits');
  },
});
