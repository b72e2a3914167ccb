import { sql } from '@pacioli/core';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const clock = fixedClock('2026-03-02T10:00:00Z');
const schema = {
  name: 'harbour',
  nodes: [{ name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] }],
};

describe('nightly backups', () => {
  let service: TestService;
  let owner: TestClient;
  let graphId: string;

  /** The scheduled backups, as graph and time, oldest first. */
  const scheduled = async (): Promise<string[][]> => {
    const { backups } = (await owner.get(`/v1/graphs/${graphId}/backups`)).body;
    return backups
      .filter((each: { initiated_by: string }) => each.initiated_by === 'scheduled')
      .map((each: Record<string, string>) => [each['graph_id'], each['status'], each['created_at']])
      .reverse();
  };
  const write = async (query: string) => {
    const answer = await owner.post(`/v1/graphs/${graphId}_trial/query/cypher`, { query });
    expect(answer.status).toBe(200);
  };

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph], clock });
    const session = await service.newUser('Owner');
    const { key } = (await session.post('/v1/user/api-keys', { name: 'nights' })).body;
    owner = service.anonymous.withHeaders({ 'x-api-key': key });
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    graphId = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
    await owner.post(`/v1/graphs/${graphId}/operations/create-subgraph`, { name: 'trial', display_name: 'Trial' });
  });
  afterAll(() => service.close());

  it('are taken of what changed during the day, and not of what did not (graphs B-13)', async () => {
    await write("CREATE (v:Vessel {imo: '1'})");
    clock.set('2026-03-03T01:59:00Z');
    expect(await scheduled()).toEqual([]);
    clock.set('2026-03-03T02:06:00Z');
    const sub = `${graphId}_trial`;
    await expect.poll(scheduled, { timeout: 300_000 }).toMatchObject([[sub, 'completed', expect.any(String)]]);
    clock.set('2026-03-04T02:30:00Z');
    await write("CREATE (v:Vessel {imo: '2'})");
    await write("CREATE (v:Vessel {imo: '3'})");
    clock.set('2026-03-05T02:30:00Z');
    await expect.poll(async () => (await scheduled()).length, { timeout: 300_000 }).toBe(2);
    expect((await scheduled()).at(-1)?.[2]).toMatch(/^2026-03-05T02:30/);
  });

  it('do not count against the daily allowance (graphs B-2)', async () => {
    const stats = (await owner.get(`/v1/graphs/${graphId}/backups/stats`)).body;
    expect(stats.total_backups).toBe(2);
    for (let count = 0; count < 2; count += 1) {
      expect((await owner.post(`/v1/graphs/${graphId}/operations/create-backup`, {})).status).toBe(202);
    }
  });

  it('are none where a host switches them off (graphs B-13)', async () => {
    const off = await startTestService({ plugins: [graph.with({ nightlyBackups: false })], clock });
    const user = await off.newUser();
    const accepted = await user.post('/v1/graphs', { metadata: { graph_name: 'Quiet' }, custom_schema: schema });
    const id = (await user.follow(accepted.body.operationId)).body.result.graph_id;
    const { key } = (await user.post('/v1/user/api-keys', { name: 'nights' })).body;
    const lasting = off.anonymous.withHeaders({ 'x-api-key': key });
    await lasting.post(`/v1/graphs/${id}/operations/create-subgraph`, { name: 'trial', display_name: 'Trial' });
    await lasting.post(`/v1/graphs/${id}_trial/query/cypher`, { query: "CREATE (v:Vessel {imo: '1'})" });
    clock.advance(86_400_000);
    const jobHasRun = () =>
      off.store.transaction('kernel', async (tx) => {
        const rows = await tx.query(sql`SELECT job FROM kernel_schedule
          WHERE job = 'back-up-changed-graphs' AND next_at > ${clock.now()}`);
        return rows.length === 1;
      });
    await expect.poll(jobHasRun, { timeout: 300_000 }).toBe(true);
    expect((await lasting.get(`/v1/graphs/${id}/backups`)).body.total_count).toBe(0);
    await off.close();
  });
});
