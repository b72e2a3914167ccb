/** @module-tag sessions */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineNode, definePlugin, kernel } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import { FileStoreError, type GraphStore, GraphStoreError } from '@pacioli/core/ports';
import { ladybugGraphStore } from '@pacioli/graph-ladybug';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const books = definePlugin({
  name: 'books',
  title: 'Books',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'books',
  nodes: [defineNode('Shelf', { extension: 'books', properties: { room: 'STRING' } })],
});

/** A real engine whose connection the test can cut. */
class CuttableGraphStore {
  isCut = false;
  readonly store: GraphStore;
  readonly underlying: GraphStore;

  constructor(store: GraphStore) {
    this.underlying = store;
    this.store = new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          if (this.isCut && name !== 'close') throw new GraphStoreError('unavailable', 'The engine is down.');
          return Reflect.apply(member, target, args);
        };
      },
    });
  }
}

const folder = mkdtempSync(join(tmpdir(), 'pacioli-health-'));
const cuttable = new CuttableGraphStore(ladybugGraphStore({ folder }));
const clock = fixedClock('2026-03-10T09:30:00Z');
let service: TestService;
let user: TestClient;
let id: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [graph, books], clock, graphStore: cuttable.store, log: silentLog });
  const key = await (await service.newUser('Ann')).post('/v1/user/api-keys', { name: 'Over days' });
  user = service.anonymous.withHeaders({ 'x-api-key': key.body.key });
  id = await user.createGraph('Healthy', ['books']);
});
afterAll(async () => {
  await service.close();
  await cuttable.store.close();
  rmSync(folder, { recursive: true, force: true });
});

const cypher = (query: string) => user.post(`/v1/graphs/${id}/query/cypher`, { query });
const health = async () => {
  const { status, body } = await user.get(`/v1/graphs/${id}/health`);
  expect(status).toBe(200);
  return body;
};

describe('the health of a graph', () => {
  it('counts the statements of the last 24 hours, without those that are refused as failures (graphs H-1)', async () => {
    expect(await health()).toMatchObject({
      status: 'healthy',
      connection_status: 'connected',
      query_count_24h: 0,
      avg_query_time_ms: 0,
      error_rate_24h: 0,
      last_query_time: null,
      is_stale: false,
      last_materialized_at: null,
      hours_since_materialization: null,
      memory_usage_mb: null,
      resource_status: null,
      alerts: [],
    });
    for (const _ of [1, 2, 3]) expect((await cypher('RETURN 1 AS one')).status).toBe(200);
    expect((await cypher('RETURN nobody')).status).toBe(400);
    const counted = await health();
    expect(counted).toMatchObject({
      query_count_24h: 4,
      error_rate_24h: 0,
      last_query_time: '2026-03-10T09:30:00.000Z',
    });
    expect(counted.avg_query_time_ms).toBeGreaterThan(0);
    expect(counted.storage_usage_mb).toBeGreaterThan(0);
    clock.advance(23 * 3_600_000);
    expect((await health()).query_count_24h).toBe(4);
    clock.advance(2 * 3_600_000);
    expect(await health()).toMatchObject({ query_count_24h: 0, last_query_time: null });
  });

  it('is unhealthy while the engine does not respond, and degraded by the statements that failed (graphs H-1, H-4)', async () => {
    for (const _ of [1, 2, 3]) await cypher('RETURN 1 AS one');
    cuttable.isCut = true;
    expect((await cypher('RETURN 1 AS one')).status).toBe(503);
    const cut = await health();
    expect(cut).toMatchObject({ status: 'unhealthy', connection_status: 'disconnected', storage_usage_mb: null });
    expect(cut.alerts[0]).toBe('The graph engine does not respond.');
    cuttable.isCut = false;
    expect(await health()).toMatchObject({
      status: 'degraded',
      connection_status: 'connected',
      query_count_24h: 4,
      error_rate_24h: 25,
      alerts: ['25 % of the statements of the last 24 hours timed out or failed in the engine.'],
    });
    clock.advance(25 * 3_600_000);
    expect((await health()).status).toBe('healthy');
  });

  it('is degraded when it is stale for more than a day, until it is rebuilt (graphs H-1, H-3)', async () => {
    const graphs = service.service.services.resolve(kernel.graphs);
    await service.store.transaction({ graphId: id }, (tx) => graphs.markStale(tx, id, 'shelf_added'));
    clock.advance(3_600_000);
    expect(await health()).toMatchObject({ status: 'healthy', is_stale: true, stale_reason: 'shelf_added' });
    clock.advance(24 * 3_600_000);
    expect(await health()).toMatchObject({
      status: 'degraded',
      alerts: ['The graph is stale for 25 hours. Run materialize to rebuild it.'],
    });
    const run = await user.post(`/v1/graphs/${id}/operations/materialize`, {});
    expect((await user.follow(run.body.operationId)).body.status).toBe('completed');
    clock.advance(90 * 60_000);
    expect(await health()).toMatchObject({
      status: 'healthy',
      is_stale: false,
      stale_since: null,
      hours_since_materialization: 1.5,
    });
  });

  it('is not told to strangers, and the library has none (platform P-10, graphs G-4)', async () => {
    const stranger = await service.newUser('Eve');
    for (const what of ['health', 'info']) {
      expect((await stranger.get(`/v1/graphs/${id}/${what}`)).status).toBe(403);
      expect((await service.anonymous.get(`/v1/graphs/${id}/${what}`)).status).toBe(401);
    }
    for (const what of ['health', 'info', 'schema', 'metrics', 'limits', 'usage', 'backups', 'subgraphs', 'tables'])
      expect([what, (await user.get(`/v1/graphs/library/${what}`)).status]).toEqual([what, 404]);
    expect((await user.post('/v1/graphs/library/query/cypher', { query: 'RETURN 1 AS one' })).status).toBe(404);
    for (const name of ['delete-graph', 'create-file-upload', 'create-backup', 'materialize'])
      expect([name, (await user.post(`/v1/graphs/library/operations/${name}`, {})).status]).toEqual([name, 404]);
  });
});

describe('the information about a graph', () => {
  it('has its types, also those without rows, its size and its last change (graphs H-10)', async () => {
    const other = await user.createGraph('Informed', ['books']);
    const { status, body } = await user.get(`/v1/graphs/${other}/info`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      graph_id: other,
      node_count: 0,
      relationship_count: 0,
      read_only: true,
      backup_count: 0,
      last_backup_date: null,
      created_at: clock.now().toISOString(),
      last_modified: clock.now().toISOString(),
    });
    expect(body.node_labels).toContain('Shelf');
    expect(body.database_size_mb).toBe(body.database_size_bytes / 1024 ** 2);
    clock.advance(60_000);
    const run = await user.post(`/v1/graphs/${other}/operations/materialize`, {});
    expect((await user.follow(run.body.operationId)).body.status).toBe('completed');
    expect((await user.get(`/v1/graphs/${other}/info`)).body.last_modified).toBe(clock.now().toISOString());
    const backup = await user.post(`/v1/graphs/${other}/operations/create-backup`, {});
    const ended = await user.follow(backup.body.operationId);
    expect(ended.body).toMatchObject({ status: 'completed', progress: { percentage: 100, progress_percent: 100 } });
    expect((await user.get(`/v1/graphs/${other}/info`)).body).toMatchObject({
      backup_count: 1,
      last_backup_date: clock.now().toISOString(),
      schema_version: null,
    });
  });

  it('has the version of its declared schema, and health tells what failed last (graphs H-4, H-10)', async () => {
    const nodes = [{ name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] }];
    const customSchema = { name: 'harbour', version: '2.1.0', nodes };
    const accepted = await user.post('/v1/graphs', {
      metadata: { graph_name: 'Harbour' },
      custom_schema: customSchema,
    });
    const graphId = (await user.follow(accepted.body.operationId)).body.result.graph_id;
    const alerts = async () => (await user.get(`/v1/graphs/${graphId}/health`)).body.alerts;
    const run = async (name: string) => {
      const { body } = await user.post(`/v1/graphs/${graphId}/operations/${name}`, {});
      return (await user.follow(body.operationId)).body.status;
    };
    expect((await user.get(`/v1/graphs/${graphId}/info`)).body.schema_version).toBe('2.1.0');
    expect(await alerts()).toEqual([]);
    const { create } = cuttable.underlying;
    const { write } = service.fileStore;
    cuttable.underlying.create = async () => {
      throw new GraphStoreError('unavailable', 'The disk is full.');
    };
    service.fileStore.write = async () => {
      throw new FileStoreError('unavailable', 'The disk is full.');
    };
    expect([await run('materialize'), await run('create-backup')]).toEqual(['failed', 'failed']);
    cuttable.underlying.create = create;
    service.fileStore.write = write;
    expect(await alerts()).toEqual([
      expect.stringMatching(/^The last rebuild failed: /),
      expect.stringMatching(/^The last backup failed/),
    ]);
    clock.advance(1_000);
    expect([await run('materialize'), await run('create-backup')]).toEqual(['completed', 'completed']);
    expect(await alerts()).toEqual([]);
  });
});
