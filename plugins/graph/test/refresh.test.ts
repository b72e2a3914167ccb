/** @module-tag sessions */
import { defineNode, definePlugin, kernel, operationRuns, sql } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';
import refreshJob from '../src/jobs/refresh-stale-graphs.ts';
import { type RefreshServices, refreshStaleGraphs } from '../src/refresh/index.ts';

// Goal: a stale entity graph is built by itself when it is quiet, and no other. Method: the clock is the test's, and a
// turn is one call, as the job makes it; the service itself has the refresh switched off.
const clock = fixedClock('2026-03-02T10:00:00Z');
const keys: string[] = ['t1'];
/** The embedded store has one session: a second transaction waits for the first one, not for its locks. */
const hasServer = (process.env['PACIOLI_TEST_STORES'] ?? '').includes('server');
const why = hasServer ? '' : ' (left out: the embedded store has one session)';
const Thing = defineNode('Thing', {
  extension: 'samples',
  async *rows() {
    yield keys.map((identifier) => ({ identifier }));
  },
});
const samples = definePlugin({
  name: 'samples',
  title: 'Samples',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'samples',
  nodes: [Thing],
});

describe('the refresh of stale graphs', () => {
  let service: TestService;
  let owner: TestClient;
  let parts: RefreshServices;
  let graphs: NonNullable<(typeof kernel.graphs)['type']>;
  let graphId: string;

  const turn = () =>
    refreshStaleGraphs(parts, {
      now: () => clock.now(),
      signal: new AbortController().signal,
      log: silentLog,
    });
  const write = (id = graphId) =>
    service.store.transaction({ graphId: id }, (tx) => graphs.markStale(tx, id, 'thing_added'));
  const seconds = (count: number) => clock.advance(count * 1_000);
  const ended = async (ids: readonly string[]) => {
    const runs = await Promise.all(ids.map((id) => owner.follow(id)));
    return runs.map(({ body }) => body.status);
  };
  const health = async () => (await owner.get(`/v1/graphs/${graphId}/health`)).body;
  const newGraph = (name: string) => owner.createGraph(`${name} ${clock.now().getTime()}`, ['samples']);

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph, samples], clock, settings: { orgs: { maxGraphs: -1 } } });
    const used = service.service.services.useFor({ graphs: kernel.graphs, runs: operationRuns }) as {
      graphs: NonNullable<(typeof kernel.graphs)['type']>;
      runs: NonNullable<(typeof operationRuns)['type']>;
    };
    graphs = used.graphs;
    parts = { store: service.store, graphs, runs: used.runs };
    const session = await service.newUser('Owner');
    const { key } = (await session.post('/v1/user/api-keys', { name: 'refresh' })).body;
    owner = service.anonymous.withHeaders({ 'x-api-key': key });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    keys.splice(0, keys.length, 't1');
    graphId = await newGraph('Samples');
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_graph SET stale_since = NULL, stale_reason = NULL, stale_marked_at = NULL`),
    );
    seconds(3_600);
    await turn();
  });

  it('builds a graph after 30 seconds without a write, as the system and free of charge (graphs M-33)', async () => {
    await write();
    seconds(20);
    expect(await turn()).toEqual([]);
    await write();
    seconds(30);
    expect(await turn()).toEqual([]);
    seconds(5);
    const started = await turn();
    expect(await ended(started)).toEqual(['completed']);
    expect(await health()).toMatchObject({ is_stale: false, last_materialized_at: clock.now().toISOString() });
    const [run] = await service.store.transaction('kernel', (tx) =>
      tx.query(sql`SELECT user_id, name, (SELECT count(*)::integer FROM kernel_credit_transaction c
        WHERE c.operation_id = o.id) AS charges FROM kernel_operation o WHERE id = ${started[0]}`),
    );
    expect(run).toEqual({ user_id: 'system', name: 'materialize', charges: 0 });
  });

  it('leaves a restored graph as it is until the next write (graphs B-20, M-33)', async () => {
    await write();
    await service.store.transaction('kernel', (tx) => graphs.markReplaced(tx, graphId, 'backup_restored'));
    seconds(4_000);
    expect(await turn()).toEqual([]);
    expect(await health()).toMatchObject({ is_stale: true, stale_reason: 'backup_restored' });
    await write();
    seconds(40);
    expect(await ended(await turn())).toEqual(['completed']);
  });

  it('ignores the time of a mark that an earlier version has cleared (graphs M-33)', async () => {
    await write();
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_graph SET stale_since = NULL, stale_reason = NULL WHERE graph_id = ${graphId}`),
    );
    seconds(4_000);
    expect(await turn()).toEqual([]);
  });

  it.runIf(hasServer)(`takes a mark over after the writes that repeat it${why} (graphs M-32)`, async () => {
    await write();
    let taken: Promise<unknown> = Promise.resolve();
    let isTaken = false;
    await service.store.transaction({ graphId }, async (tx) => {
      await graphs.markStale(tx, graphId, 'thing_added');
      taken = service.store
        .transaction({ graphId }, (other) => graphs.clearStale(other, graphId))
        .then(() => {
          isTaken = true;
        });
      await expect
        .poll(
          async () => (await tx.query(sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).length,
        )
        .toBe(1);
      expect(isTaken).toBe(false);
    });
    await taken;
    expect(await health()).toMatchObject({ is_stale: false });
  });

  it('builds a graph at most every 5 minutes, whoever built it last (graphs M-33)', async () => {
    await write();
    seconds(40);
    expect(await ended(await turn())).toEqual(['completed']);
    await write();
    seconds(200);
    expect(await turn()).toEqual([]);
    seconds(101);
    expect(await ended(await turn())).toEqual(['completed']);
    seconds(400);
    await write();
    const accepted = await owner.post(`/v1/graphs/${graphId}/operations/materialize`, {});
    expect(await ended([accepted.body.operationId])).toEqual(['completed']);
    await write();
    seconds(100);
    expect(await turn()).toEqual([]);
    seconds(201);
    expect(await turn()).toHaveLength(1);
  });

  it('is started once by several hosts at the same time (graphs M-33)', async () => {
    await write();
    seconds(40);
    const started = (await Promise.all([turn(), turn(), turn()])).flat();
    expect(started).toHaveLength(1);
    expect(await ended(started)).toEqual(['completed']);
  });

  it('is not started for a suspended or generic graph, or where writes are blocked (graphs G-41, G-42)', async () => {
    await write();
    seconds(40);
    const set = (change: ReturnType<typeof sql>) =>
      service.store.transaction('kernel', (tx) =>
        tx.query(sql`UPDATE kernel_graph SET ${change} WHERE graph_id = ${graphId}`),
      );
    await set(sql`write_block = 'unpaid'`);
    expect(await turn()).toEqual([]);
    await set(sql`write_block = NULL, status = 'suspended'`);
    expect(await turn()).toEqual([]);
    await set(sql`status = 'active', graph_type = 'generic'`);
    expect(await turn()).toEqual([]);
    await set(sql`graph_type = 'entity'`);
    expect(await ended(await turn())).toEqual(['completed']);
  });

  it('is not started where a host switches it off, or stops (graphs M-33)', async () => {
    await write();
    seconds(40);
    const job = (autoRefresh: boolean, signal = new AbortController().signal) =>
      refreshJob.handle({
        ctx: { store: service.store, now: () => clock.now(), signal, log: silentLog },
        use: { ...parts, settings: { graphs: { autoRefresh } } },
      });
    const runs = () =>
      service.store.transaction('kernel', (tx) =>
        tx.query(sql`SELECT status FROM kernel_operation WHERE graph_id = ${graphId} AND name = 'materialize'`),
      );
    await job(false);
    await job(true, AbortSignal.abort());
    expect(await runs()).toEqual([]);
    await job(true);
    await expect.poll(runs).toEqual([{ status: 'completed' }]);
  });

  it('leaves a place in the queue for users, and continues with other graphs later (graphs M-33)', async () => {
    const ids = [graphId];
    for (let count = 1; count < 4; count += 1) ids.push(await newGraph(`More ${count}`));
    for (const id of ids) await write(id);
    seconds(40);
    const first = await turn();
    expect(first).toHaveLength(3);
    await ended(first);
    const second = await turn();
    expect(second).toHaveLength(1);
    expect(await ended(second)).toEqual(['completed']);
    expect(await turn()).toEqual([]);
  });

  it('waits longer after each failure, which is reported, and not after a success (graphs H-4, M-33)', async () => {
    keys.push('t1');
    await write();
    seconds(40);
    expect(await ended(await turn())).toEqual(['failed']);
    expect((await health()).alerts).toEqual([expect.stringContaining('The last rebuild failed')]);
    expect(await turn()).toEqual([]);
    seconds(299);
    expect(await turn()).toEqual([]);
    seconds(2);
    expect(await ended(await turn())).toEqual(['failed']);
    expect(await turn()).toEqual([]);
    seconds(599);
    expect(await turn()).toEqual([]);
    keys.pop();
    seconds(2);
    expect(await ended(await turn())).toEqual(['completed']);
    await write();
    seconds(301);
    expect(await ended(await turn())).toEqual(['completed']);
  });
});
