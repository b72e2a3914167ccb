/** @module-tag sessions */
// Goal: a deleted graph leaves nothing but its final backup and the record that it was deleted, and its subscription
// ends. Method: books with posted entries, deleted at once and with the paid period, on a fixed clock.
import billing from '@pacioli/billing';
import blocks from '@pacioli/blocks';
import { sql } from '@pacioli/core';
import graph from '@pacioli/graph';
import ledger from '@pacioli/ledger';
import reporting from '@pacioli/reporting';
import taxonomy from '@pacioli/taxonomy';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoEvents } from '../src/demo/company.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');
const dayMs = 86_400_000;

let service: TestService;
let owner: TestClient;
let orgId: string;

/** A graph with one posted journal entry that was never materialized. */
async function postedBooks(name: string): Promise<string> {
  const graphId = await owner.createGraph(name, ['ledger']);
  const base = `/extensions/ledger/${graphId}/operations`;
  await owner.post(`${base}/initialize-chart-of-accounts`, { template: 'product' });
  const { accounts } = (await owner.graphql(graphId, '{ accounts(limit: 200) { accounts { id code } } }')).body.data
    .accounts;
  const ids = new Map(accounts.map((account: { id: string; code: string }) => [account.code, account.id]));
  const [event] = demoEvents();
  if (event === undefined) throw new Error('The demo company has no events.');
  const lines = event.lines.map((line) => ({
    element_id: ids.get(line.code),
    debit_amount: line.debitCents,
    credit_amount: line.creditCents,
  }));
  const posted = await owner.post(`${base}/create-event-block`, {
    event_type: event.event_type,
    event_category: event.event_category,
    occurred_at: `${event.date}T12:00:00Z`,
    source: 'manual',
    external_id: event.external_id,
    apply_handlers: true,
    metadata: { posting_date: event.date, memo: event.description, status: 'posted', line_items: lines },
  });
  expect(posted.status).toBe(200);
  return graphId;
}

const remove = (graphId: string, input: object = {}) =>
  owner.post(`/v1/graphs/${graphId}/operations/delete-graph`, { confirm: graphId, ...input });
const subscriptionOf = async (graphId: string) => {
  const subscriptions = (await owner.get(`/v1/billing/subscriptions/${orgId}`)).body;
  return subscriptions.find((each: { resource_id: string }) => each.resource_id === graphId);
};
const rowsOf = (graphId: string, table: string) =>
  service.store.transaction({ graphId }, async (tx) => {
    const [row] = await tx.query(sql<{ rows: number }>`SELECT count(*)::integer AS rows FROM ${sql.table(table)}
      WHERE graph_id = ${graphId}`);
    return row?.rows;
  });
const removed = (graphId: string) =>
  service.store.transaction('kernel', async (tx) => {
    const rows = await tx.query(sql`SELECT graph_id FROM kernel_graph_removal
      WHERE graph_id = ${graphId} AND finished_at IS NOT NULL`);
    return rows.length === 1;
  });

beforeAll(async () => {
  service = await startTestService({
    plugins: [billing.with({ enabled: false }), graph, taxonomy, blocks, ledger, reporting],
    clock,
  });
  const session = await service.newUser('Ann');
  const { key } = (await session.post('/v1/user/api-keys', { name: 'tests' })).body;
  owner = service.anonymous.withHeaders({ 'x-api-key': key });
  orgId = (await owner.get('/v1/orgs')).body.orgs[0].id;
});
afterAll(() => service.close());

describe('a graph with books', () => {
  it('is deleted at once: subscription, posted entries, log and database (graphs G-53, G-54)', async () => {
    const [graphId, other] = [await postedBooks('Closed mill'), await postedBooks('Open mill')];
    const before = await rowsOf(other, 'ledger_line_item');
    expect(before).toBeGreaterThan(0);
    const answer = await remove(graphId);
    expect(answer).toMatchObject({
      status: 202,
      body: {
        status: 'completed',
        result: { status: 'deprovisioning_queued', ends_at: clock.now().toISOString() },
      },
    });
    expect(await subscriptionOf(graphId)).toMatchObject({ status: 'canceled' });
    clock.advance(31_000);
    await expect.poll(() => removed(graphId), { timeout: 300_000 }).toBe(true);
    const tables = ['ledger_entry', 'ledger_line_item', 'ledger_log', 'ledger_event', 'taxonomy_element'];
    for (const table of tables) expect([table, await rowsOf(graphId, table)]).toEqual([table, 0]);
    expect(await rowsOf(other, 'ledger_line_item')).toBe(before);
    expect((await owner.get(`/v1/graphs/${other}/info`)).status).toBe(200);
    // The backup has the records up to the deletion, although nobody had materialized them.
    const { backups } = (await owner.get(`/v1/graphs/${graphId}/backups`)).body;
    expect(backups).toMatchObject([{ initiated_by: 'final', status: 'completed' }]);
    expect(backups[0].node_count).toBeGreaterThan(10);
    const audited = await service.store.transaction('kernel', (tx) =>
      tx.query(
        sql`SELECT status FROM kernel_operation_audit WHERE graph_id = ${graphId} AND operation = 'delete-graph'`,
      ),
    );
    expect(audited).toEqual([{ status: 'completed' }]);
  });

  it('stays readable until the paid period ends, and is removed seven days later (graphs G-53, G-42)', async () => {
    const graphId = await postedBooks('Winding down');
    const scheduled = await remove(graphId, { at_period_end: true });
    const endsAt = new Date(clock.now().getTime() + 30 * dayMs).toISOString();
    expect(scheduled).toMatchObject({
      status: 202,
      body: { status: 'completed', result: { status: 'scheduled_for_deprovision', ends_at: expect.any(String) } },
    });
    expect(Date.parse(scheduled.body.result.ends_at)).toBeLessThanOrEqual(Date.parse(endsAt));
    expect((await owner.get(`/v1/graphs/${graphId}/info`)).status).toBe(200);
    expect((await owner.post(`/v1/graphs/${graphId}/operations/materialize`, {})).status).toBe(403);
    const again = await remove(graphId);
    expect([again.status, again.body.detail]).toEqual([400, 'This subscription has already ended.']);
    clock.advance(31 * dayMs);
    const statusOf = async () => (await owner.get(`/v1/graphs/${graphId}/info`)).status;
    await expect.poll(statusOf, { timeout: 300_000 }).toBe(403);
    clock.advance(7 * dayMs);
    await expect.poll(statusOf, { timeout: 300_000 }).toBe(404);
    clock.advance(31_000);
    await expect.poll(() => removed(graphId), { timeout: 300_000 }).toBe(true);
    expect(await rowsOf(graphId, 'ledger_entry')).toBe(0);
  });
});
