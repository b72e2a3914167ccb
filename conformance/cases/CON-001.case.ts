import { defineCase } from '../src/define-case.ts';
import { textAt, valueAt } from '../src/expectations.ts';

export default defineCase({
  id: 'CON-001',
  level: 'MUST',
  title: 'events may name a source only while a connection registers it',
  clause: 'ledger L-84, L-115, L-116, L-120, L-122',
  requires: ['ledger', 'POST /v1/graphs/{graph_id}/connections'],
  async run({ graph, expectStatus, expectError, expectThat }) {
    const owner = await graph.owner();
    const path = `/v1/graphs/${await graph.id()}/connections`;
    const send = (externalId: string) =>
      graph.tryOperation('create-event-block', {
        event_type: 'payout_settled',
        event_category: 'sales',
        occurred_at: '2026-01-05T12:00:00Z',
        source: 'shopfeed',
        external_id: externalId,
        amount: 98_500,
      });
    const register = (sourceName: string) =>
      owner.post(path, { provider: 'external', external_config: { source_name: sourceName } });
    expectError(422, await send('po-1'));
    const created = await register('shopfeed');
    expectStatus(201, created);
    expectStatus(200, await send('po-1'));
    expectStatus(409, await register('shopfeed'));
    expectStatus(422, await register('manual'));
    const id = textAt(created, 'connection_id');
    const synced = await owner.post(`${path}/${id}/sync`);
    expectStatus(202, synced);
    const status = valueAt(synced, 'status');
    expectThat(status === 'completed', `Nothing is pulled from an external source, so the sync is done: ${status}`);
    expectError(400, await owner.delete(`${path}/${id}?disposition=sever`));
    expectStatus(200, await owner.delete(`${path}/${id}`));
    expectError(404, await owner.get(`${path}/${id}`));
    expectError(422, await send('po-2'));
    const found = await graph.graphql('{ eventBlocks(limit: 10) { externalId } }');
    const kept = JSON.stringify(valueAt(found, 'data.eventBlocks'));
    expectThat(kept === '[{"externalId":"po-1"}]', `Exactly the event of the source must remain: ${kept}`);
  },
});
