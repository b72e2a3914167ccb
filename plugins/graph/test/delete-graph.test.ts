/** @module-tag engines */
import { contribute, definePlugin, type GraphRemovalStep, graphRemovalSteps, graphRemovals, sql } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import { FileStoreError } from '@pacioli/core/ports';
import {
  fixedClock,
  joinTeam,
  startTestService,
  type TestClient,
  type TestService,
  teamSettings,
} from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const clock = fixedClock('2026-03-02T10:00:00Z');
const dayMs = 86_400_000;

const harbour = {
  name: 'harbour',
  nodes: [{ name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] }],
};

/** What the steps of another plugin were asked for, and whether its files can be removed. */
const asked: string[] = [];
let isReachable = true;
/** The graph whose last copy takes longer than the job has. */
let slow = '';
const neighbor = definePlugin({
  name: 'neighbor',
  title: 'Neighbor',
  version: '1.0.0',
  kernel: '^0.1.0',
  contributions: [
    contribute<GraphRemovalStep>(graphRemovalSteps, 'neighbor', {
      create: () => ({
        preserve: async ({ id }, signal) => {
          asked.push(`preserve ${id}`);
          if (id === slow) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
        },
        remove: async ({ id }) => {
          asked.push(`remove ${id}`);
          if (!isReachable) throw new FileStoreError('unavailable', 'The files of the neighbor cannot be reached.');
        },
      }),
    }),
  ],
});

describe('deleting a graph', () => {
  let service: TestService;
  let owner: TestClient;
  let admin: TestClient;
  let stranger: TestClient;

  const remove = (client: TestClient, graphId: string, input: object = { confirm: graphId }) =>
    client.post(`/v1/graphs/${graphId}/operations/delete-graph`, input);
  const operation = async (name: string, graphId: string, input: object) =>
    (await owner.post(`/v1/graphs/${graphId}/operations/${name}`, input)).body.result;
  const stateOf = async (graphId: string) => {
    const [row] = await service.store.transaction('kernel', (tx) =>
      tx.query(sql<{ phase: string; failures: number; error: string | null; finished_at: Date | null }>`
        SELECT phase, failures, error, finished_at FROM kernel_graph_removal WHERE graph_id = ${graphId}`),
    );
    return row;
  };
  /** Lets the job run, and waits until the removal is in the given state. */
  const removal = (graphId: string, state: object) => {
    clock.advance(31_000);
    return expect.poll(() => stateOf(graphId), { timeout: 300_000 }).toMatchObject(state);
  };

  const emptyGraph = async (): Promise<string> => {
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: harbour });
    return (await owner.follow(accepted.body.operationId)).body.result.graph_id;
  };
  /** A graph with one vessel in the graph, its file, and a subgraph with another vessel. */
  const filledGraph = async (): Promise<string> => {
    const graphId = await emptyGraph();
    const given = { table_name: 'Vessel', file_name: 'v.csv', content_type: 'text/csv' };
    const { upload_url, file_id } = await operation('create-file-upload', graphId, given);
    await fetch(upload_url, { method: 'PUT', body: 'imo\n9300001\n', headers: { 'content-type': 'text/csv' } });
    await operation('ingest-file', graphId, { file_id });
    const run = await owner.post(`/v1/graphs/${graphId}/operations/materialize`, {});
    await owner.follow(run.body.operationId);
    await operation('create-subgraph', graphId, { name: 'trial', display_name: 'Trial' });
    const written = await owner.post(`/v1/graphs/${graphId}_trial/query/cypher`, {
      query: "CREATE (v:Vessel {imo: '9300002'})",
    });
    expect(written.status).toBe(200);
    return graphId;
  };
  const filesUnder = async (graphId: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const { key } of service.fileStore.list('')) if (key.includes(graphId)) keys.push(key);
    return keys.sort();
  };

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph, neighbor], settings: teamSettings, clock, log: silentLog });
    owner = await service.newUser('Owner');
    stranger = await service.newUser('Stranger');
    admin = (await joinTeam(service, owner)).client;
  });
  afterAll(() => service.close());

  it('takes the owner of the organization and the id of the graph in the body (graphs G-53)', async () => {
    const graphId = await emptyGraph();
    await operation('create-subgraph', graphId, { name: 'trial', display_name: 'Trial' });
    const { userId } = await joinTeam(service, owner).then(async (joined) => {
      admin = joined.client;
      return joined;
    });
    expect((await remove(admin, graphId)).status).toBe(403);
    await owner.post(`/v1/graphs/${graphId}/members`, { user_id: userId, role: 'member' });
    expect((await remove(admin, graphId)).status).toBe(403);
    await owner.put(`/v1/graphs/${graphId}/members/${userId}`, { role: 'admin' });
    const wrong = await remove(admin, graphId, { confirm: 'kg0' });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'NOT_CONFIRMED']);
    expect((await remove(admin, graphId)).status).toBe(403);
    expect((await remove(stranger, graphId)).status).toBe(403);
    const sub = await remove(owner, `${graphId}_trial`);
    expect([sub.status, sub.body.code]).toEqual([400, 'GRAPH_IS_SUBGRAPH']);
    const later = await remove(owner, graphId, { confirm: graphId, at_period_end: true });
    expect([later.status, later.body.code]).toEqual([400, 'NO_PAID_PERIOD']);
    expect((await owner.get(`/v1/graphs/${graphId}/info`)).status).toBe(200);
    expect(await stateOf(graphId)).toBeUndefined();
  });

  it('does not delay other removals when it does not fit into the time of the job (graphs G-54)', async () => {
    owner = await service.newUser('Third owner');
    const graphIds = [await emptyGraph(), await emptyGraph()];
    slow = graphIds[0] ?? '';
    for (const graphId of graphIds) {
      await remove(owner, graphId);
      clock.advance(1);
    }
    const removals = service.service.services.resolve(graphRemovals);
    // The clock has not advanced, so the job of the service is not due and these turns are the only ones.
    await removals.runDue(AbortSignal.timeout(3_000));
    expect(await stateOf(slow)).toMatchObject({ phase: 'preserve', failures: 1, finished_at: null });
    await removals.runDue(AbortSignal.timeout(60_000));
    expect(await stateOf(graphIds[1] ?? '')).toMatchObject({ finished_at: expect.any(Date) });
    expect(await stateOf(slow)).toMatchObject({ failures: 1 });
    slow = '';
  });

  it('puts the graph and its subgraphs out of reach at once, and nothing else (graphs G-53, G-41)', async () => {
    const [graphId, other] = [await filledGraph(), await emptyGraph()];
    await owner.post(`/v1/graphs/${graphId}/select`);
    const key = { 'Idempotency-Key': 'delete-once' };
    const first = await owner.post(`/v1/graphs/${graphId}/operations/delete-graph`, { confirm: graphId }, key);
    expect(first).toMatchObject({
      status: 202,
      body: {
        status: 'completed',
        result: { graph_id: graphId, status: 'deprovisioning_queued', ends_at: null },
      },
    });
    for (const id of [graphId, `${graphId}_trial`]) expect((await owner.get(`/v1/graphs/${id}/info`)).status).toBe(404);
    const repeated = await owner.post(`/v1/graphs/${graphId}/operations/delete-graph`, { confirm: graphId }, key);
    expect(repeated.body).toEqual({ ...first.body, idempotentReplay: true });
    expect((await remove(owner, graphId)).status).toBe(404);
    expect((await remove(stranger, graphId)).status).toBe(403);
    const list = (await owner.get('/v1/graphs')).body;
    expect(list.selectedGraphId).not.toBe(graphId);
    const ids = list.graphs.map((each: { graphId: string }) => each.graphId);
    expect(ids.filter((id: string) => id.startsWith(graphId))).toEqual([]);
    expect(ids).toContain(other);
  });

  it('continues after a failure, without a second backup, and says why it waits (graphs G-54)', async () => {
    owner = await service.newUser('Second owner');
    const graphId = await filledGraph();
    await remove(owner, graphId);
    isReachable = false;
    const error = 'The files of the neighbor cannot be reached.';
    await removal(graphId, { phase: 'remove', failures: 1, error, finished_at: null });
    clock.advance(30_000);
    await removal(graphId, { phase: 'remove', failures: 2, error, finished_at: null });
    isReachable = true;
    clock.advance(90_000);
    await removal(graphId, { error: null, finished_at: expect.any(Date) });
    expect((await owner.get(`/v1/graphs/${graphId}/backups`)).body.total_count).toBe(2);
  });

  it('takes final backups, then removes databases, files and rows; backups stay for 90 days (graphs G-54, B-15)', async () => {
    const graphId = await filledGraph();
    expect(await filesUnder(graphId)).toHaveLength(1);
    const late = { table_name: 'Vessel', file_name: 'late.csv', content_type: 'text/csv' };
    const { upload_url } = await operation('create-file-upload', graphId, late);
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`INSERT INTO graph_refresh (graph_id, not_before) VALUES (${graphId}, ${clock.now()})`),
    );
    await remove(owner, graphId);
    const headers = { 'content-type': 'text/csv' };
    expect((await fetch(upload_url, { method: 'PUT', body: 'imo\n9300003\n', headers })).status).toBe(404);
    asked.length = 0;
    await removal(graphId, { phase: 'rows', finished_at: expect.any(Date) });
    expect(asked.filter((each) => each.endsWith(graphId))).toEqual([`preserve ${graphId}`, `remove ${graphId}`]);
    expect((await filesUnder(graphId)).filter((key) => !key.startsWith('backups/'))).toEqual([]);
    const rows = await service.store.transaction('kernel', (tx) =>
      tx.query(sql`SELECT file_id AS id FROM graph_file WHERE graph_id = ${graphId}
        UNION ALL SELECT graph_id FROM graph_refresh WHERE graph_id = ${graphId}
        UNION ALL SELECT graph_id FROM kernel_subgraph WHERE parent_id = ${graphId}`),
    );
    expect(rows).toEqual([]);
    const own = await service.store.transaction({ graphId }, (tx) =>
      tx.query(sql`SELECT graph_id FROM graph_generation`),
    );
    expect(own).toEqual([]);

    const { backups, total_count: total } = (await owner.get(`/v1/graphs/${graphId}/backups`)).body;
    expect(total).toBe(2);
    expect(backups.map((each: Record<string, unknown>) => [each['initiated_by'], each['node_count']])).toEqual([
      ['final', 1],
      ['final', 1],
    ]);
    const url = await owner.get(`/v1/graphs/${graphId}/backups/${backups[0].backup_id}/download`);
    expect((await fetch(url.body.download_url)).status).toBe(200);
    expect((await stranger.get(`/v1/graphs/${graphId}/backups`)).status).toBe(403);
    expect((await owner.get(`/v1/graphs/${graphId}/backups/stats`)).status).toBe(404);

    const key = (await owner.post('/v1/user/api-keys', { name: 'Export' })).body.key;
    clock.advance(90 * dayMs);
    const path = `/v1/graphs/${graphId}/backups`;
    const later = await service.anonymous.request('GET', path, undefined, { 'X-API-Key': key });
    expect(later.status).toBe(404);
  });
});
