import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@pacioli/core';
import { FileStoreError, type GraphStore, GraphStoreError } from '@pacioli/core/ports';
import { ladybugGraphStore } from '@pacioli/graph-ladybug';
import { fixedClock, openTestStore, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const clock = fixedClock('2026-03-02T10:00:00Z');
/** More than the lease of a run. */
const leaseMs = 31_000;
const schema = {
  name: 'harbour',
  nodes: [{ name: 'Berth', properties: [{ name: 'code', type: 'STRING', is_primary_key: true }] }],
};

describe('copies that do not end', () => {
  let folder: string;
  let graphStore: GraphStore;
  let service: TestService;
  let owner: TestClient;
  let graphId: string;

  const operation = (name: string, input: object) => owner.post(`/v1/graphs/${graphId}/operations/${name}`, input);
  const fork = (name: string) => operation('create-subgraph', { name, display_name: 'Fork', fork_parent: true });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-unfinished-'));
    graphStore = ladybugGraphStore({ folder });
    service = await startTestService({ plugins: [graph], clock, graphStore });
    const session = await service.newUser('Owner');
    owner = service.anonymous.withHeaders({
      'x-api-key': (await session.post('/v1/user/api-keys', { name: 'copies' })).body.key,
    });
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    graphId = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
  });
  afterAll(async () => {
    await service.close();
    await graphStore.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are repeated by the next attempt, and the earlier one can change nothing when it continues (graphs SG-8)', async () => {
    const stopped = stopCopies(graphStore);
    const accepted = await fork('one');
    await expect.poll(() => stopped.copies()).toBe(1);
    stopped.end();
    expect((await owner.get(`/v1/graphs/${graphId}/subgraphs/one`)).status).toBe(404);
    // The worker takes its own run for lost, as another one would.
    clock.advance(leaseMs);
    expect((await owner.follow(accepted.body.operationId)).body.status).toBe('completed');
    const generations = await graphStore.generations(`${graphId}_one`);
    expect(generations).toHaveLength(1);
    stopped.continue();
    await owner.post(`/v1/graphs/${graphId}_one/query/cypher`, { query: "CREATE (:Berth {code: 'B1'})" });
    expect((await owner.get(`/v1/graphs/${graphId}/subgraphs/one`)).body).toMatchObject({ node_count: 1 });
    expect(await graphStore.generations(`${graphId}_one`)).toEqual(generations);
  });

  it('lose nothing when an attempt that stood still continues after the next one has ended (graphs SG-8)', async () => {
    const { generations } = graphStore;
    let goOn: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let stood = 0;
    graphStore.generations = async (id) => {
      graphStore.generations = generations;
      stood += 1;
      await released;
      return generations.call(graphStore, id);
    };
    const accepted = await fork('still');
    await expect.poll(() => stood).toBe(1);
    clock.advance(leaseMs);
    expect((await owner.follow(accepted.body.operationId)).body.status).toBe('completed');
    await owner.post(`/v1/graphs/${graphId}_still/query/cypher`, { query: "CREATE (:Berth {code: 'B1'})" });
    const made = await graphStore.generations(`${graphId}_still`);
    const { drop } = graphStore;
    const dropped: number[] = [];
    graphStore.drop = async (ref) => {
      await drop.call(graphStore, ref);
      dropped.push(ref.generation);
    };
    goOn();
    // The attempt ends at its next report, which its lost run refuses, and drops its own database.
    await expect.poll(() => dropped.length).toBe(1);
    graphStore.drop = drop;
    expect(dropped).not.toContain(made[0]);
    expect((await owner.get(`/v1/graphs/${graphId}/subgraphs/still`)).body).toMatchObject({ node_count: 1 });
    expect(await graphStore.generations(`${graphId}_still`)).toEqual(made);
    await operation('delete-subgraph', { subgraph_name: 'still', force: true, backup_first: false });
  });

  it('leave the subgraph to the next attempt when they fail after they lost the run (graphs SG-8)', async () => {
    const { copy } = graphStore;
    let hasFailed = false;
    graphStore.copy = async (...words) => {
      graphStore.copy = copy;
      // Another worker has taken the run, which this one does not know yet.
      await service.store.transaction('kernel', (tx) =>
        tx.query(sql`UPDATE kernel_operation SET attempt = attempt + 1, lease_owner = 'another'
          WHERE name = 'create-subgraph' AND status = 'running'`),
      );
      await copy.apply(graphStore, words);
      hasFailed = true;
      throw new GraphStoreError('unavailable', 'The disk is full.');
    };
    const accepted = await fork('lost');
    await expect.poll(() => hasFailed).toBe(true);
    await expect.poll(async () => graphStore.generations(`${graphId}_lost`)).toEqual([]);
    expect((await fork('lost')).status).toBe(409);
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_operation SET lease_until = ${clock.now()} WHERE lease_owner = 'another'`),
    );
    clock.advance(leaseMs);
    expect((await owner.follow(accepted.body.operationId)).body.status).toBe('completed');
    await operation('delete-subgraph', { subgraph_name: 'lost', force: true, backup_first: false });
  });

  it('of a deletion that was interrupted leave the subgraph usable after a minute (graphs SG-13)', async () => {
    const sub = `${graphId}_half`;
    await operation('create-subgraph', { name: 'half', display_name: 'Half deleted' });
    const info = async () => (await owner.get(`/v1/graphs/${graphId}/subgraphs/half`)).status;
    // As a process leaves it that is killed while it takes the last backup.
    const interrupt = () =>
      service.store.transaction('kernel', async (tx) => {
        await tx.query(
          sql`UPDATE kernel_graph SET status = 'deleting', updated_at = ${clock.now()} WHERE graph_id = ${sub}`,
        );
        await tx.query(sql`INSERT INTO graph_backup_entry (graph_id, backup_id, of_graph_id, status, initiated_by,
          file_key, created_at, expires_at) VALUES (${graphId}, ${`bk_${clock.now().getTime()}`}, ${sub}, 'in_progress',
          'final', 'none', ${clock.now()}, '2030-01-01')`);
      });
    const backups = async () =>
      (await owner.get(`/v1/graphs/${graphId}/backups`)).body.backups.map((each: { status: string }) => each.status);
    await interrupt();
    expect(await info()).toBe(404);
    const refused = await operation('delete-subgraph', { subgraph_name: 'half' });
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('in a minute, repeat this')]);
    clock.advance(3 * 60_000);
    await expect.poll(info, { timeout: 60_000 }).toBe(200);
    expect(await backups()).toEqual(['failed']);
    await interrupt();
    clock.advance(61_000);
    expect((await operation('delete-subgraph', { subgraph_name: 'half', force: true })).status).toBe(200);
    expect([await info(), (await backups()).includes('in_progress')]).toEqual([404, false]);
  });

  it('leave no copy of the database when a backup is refused or cannot be stored (graphs B-4)', async () => {
    const { sizes, snapshot } = graphStore;
    const { write } = service.fileStore;
    let copies = 0;
    graphStore.snapshot = (...words) => {
      copies += 1;
      return snapshot.apply(graphStore, words);
    };
    const backUp = async () => (await owner.follow((await operation('create-backup', {})).body.operationId)).body.error;
    graphStore.sizes = async (id) =>
      (await sizes.call(graphStore, id)).map((size) => ({ ...size, size_bytes: 10_000_000_001 }));
    expect([await backUp(), copies]).toEqual([expect.stringContaining('larger than the 10 GB'), 0]);
    graphStore.sizes = sizes;
    service.fileStore.write = async () => {
      throw new FileStoreError('unavailable', 'The disk is full.');
    };
    expect([await backUp(), copies]).toEqual([expect.stringContaining('The disk is full'), 1]);
    graphStore.snapshot = snapshot;
    service.fileStore.write = write;
    expect((await readdir(folder)).filter((name) => name.includes('.snapshot-'))).toEqual([]);
  });

  it('are removed a day later when no attempt ended, and their name is free (graphs SG-8)', async () => {
    const stopped = stopCopies(graphStore);
    const accepted = await fork('two');
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await expect.poll(() => stopped.copies()).toBe(attempt);
      clock.advance(leaseMs);
    }
    expect((await owner.follow(accepted.body.operationId)).body).toMatchObject({
      status: 'failed',
      error: 'Worker lost',
    });
    stopped.end();
    expect((await fork('two')).status).toBe(409);
    clock.advance(25 * 3_600_000);
    await expect.poll(async () => (await fork('two')).status).toBe(200);
    stopped.continue();
    const visible = async () => (await owner.get(`/v1/graphs/${graphId}/subgraphs/two`)).status;
    await expect.poll(visible).toBe(200);
  });
});

describe('a fork and a backup whose worker stops', () => {
  let folder: string;
  let graphStore: GraphStore;
  let opened: Awaited<ReturnType<typeof openTestStore>>;
  let service: TestService;
  const key = () => ({ 'x-api-key': apiKey });
  let apiKey = '';

  const start = async () => {
    service = await startTestService({ plugins: [graph], store: opened.store, graphStore });
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-stopped-'));
    graphStore = ladybugGraphStore({ folder });
    opened = await openTestStore();
    await start();
    const session = await service.newUser('Owner');
    apiKey = (await session.post('/v1/user/api-keys', { name: 'copies' })).body.key;
  });
  afterAll(async () => {
    await service.close();
    await graphStore.close();
    await opened.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('are completed by the next worker (graphs SG-8, B-3)', async () => {
    let owner = service.anonymous.withHeaders(key());
    const created = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    const graphId = (await owner.follow(created.body.operationId)).body.result.graph_id;
    const waiting = { copies: 0, files: 0 };
    const { copy } = graphStore;
    graphStore.copy = async (_from, _to, { signal }) => {
      waiting.copies += 1;
      await aborted(signal);
      throw new GraphStoreError('cancelled', 'The copy was cancelled.');
    };
    service.fileStore.write = async (_key, _chunks, { signal }) => {
      waiting.files += 1;
      await aborted(signal);
      throw new FileStoreError('cancelled', 'The transfer was cancelled.');
    };
    const operation = (name: string, input: object) => owner.post(`/v1/graphs/${graphId}/operations/${name}`, input);
    const fork = await operation('create-subgraph', { name: 'fork', display_name: 'Fork', fork_parent: true });
    const backup = await operation('create-backup', {});
    await expect.poll(() => waiting).toEqual({ copies: 1, files: 1 });
    await service.close();
    graphStore.copy = copy;
    await start();
    owner = service.anonymous.withHeaders(key());
    for (const { body } of [fork, backup])
      expect((await owner.follow(body.operationId)).body).toMatchObject({ status: 'completed' });
    expect((await owner.get(`/v1/graphs/${graphId}/subgraphs/fork`)).status).toBe(200);
    expect((await owner.get(`/v1/graphs/${graphId}/backups`)).body.backups).toMatchObject([{ status: 'completed' }]);
  });
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Lets copies of the store wait for `continue` after they are complete, until `end`. */
function stopCopies(store: GraphStore): { copies(): number; continue(): void; end(): void } {
  const { copy } = store;
  let copies = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  store.copy = async (...words) => {
    const stats = await copy.apply(store, words);
    copies += 1;
    await released;
    return stats;
  };
  return {
    copies: () => copies,
    continue: () => release(),
    end: () => {
      store.copy = copy;
    },
  };
}
