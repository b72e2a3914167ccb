/**
 * Goal: a process that is killed during a fork or a backup leaves nothing half-done that callers can see, and the next
 * one completes the run. Method: a whole process that stops for good at a point, where it is killed; the next one
 * starts on the same folder.
 * @module-tag full-run
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, TestClient, type TestDatabase } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrashingProcess } from './crash/crashing-process.ts';
import { berthCount, buildHarbour, harbourOwner } from './crash/harbour.ts';

describe('a process that is killed', () => {
  let folder: string;
  let database: TestDatabase;
  let running: CrashingProcess;
  let owner: TestClient;
  let graphId: string;

  const start = async (point = ''): Promise<void> => {
    owner = new TestClient(await running.serve(point), owner?.headers ?? {});
  };
  /** Runs an operation until the process reaches a point, and kills it there. */
  const killedAt = async (point: string, name: string, input: object): Promise<string> => {
    await running.stopAt(point);
    const accepted = await owner.post(`/v1/graphs/${graphId}/operations/${name}`, input);
    await running.untilPrinted(`reached ${point}`);
    await running.kill();
    return accepted.body.operationId;
  };
  const cypher = (id: string, query: string) => owner.post(`/v1/graphs/${id}/query/cypher`, { query });
  const content = async (id: string) => [
    (await cypher(id, 'MATCH (b:Berth) RETURN b.code AS code, b.depth_m AS depth ORDER BY code')).body.data,
    (await cypher(id, 'MATCH (a:Berth)-[:NEXT_TO]->(b:Berth) RETURN a.code AS a, b.code AS b ORDER BY a')).body.data,
  ];
  const databasesOf = async (id: string) =>
    (await readdir(join(folder, 'graphs'))).filter((name) => name.startsWith(`${id}.g`) && name.endsWith('.lbug'));
  const ofSubgraph = (name: string) => `${graphId}_${name}`;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-killed-'));
    database = await createTestDatabase();
    running = new CrashingProcess(folder, database.url);
    await start();
    owner = owner.withHeaders(await harbourOwner(owner));
    graphId = await buildHarbour(owner);
  });
  afterAll(async () => {
    await running.kill();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('during a fork leaves a subgraph that nobody sees until the next one has copied every row (graphs SG-5, SG-8)', async () => {
    const input = { name: 'one', display_name: 'Fork', fork_parent: true };
    const run = await killedAt('after the copy', 'create-subgraph', input);
    expect(await databasesOf(ofSubgraph('one'))).toHaveLength(1);
    // The next process stops at the same point, so that the state in between can be seen.
    await start('after the copy');
    expect((await owner.get(`/v1/graphs/${graphId}/subgraphs`)).body).toMatchObject({ subgraph_count: 0 });
    expect((await cypher(ofSubgraph('one'), 'MATCH (b:Berth) RETURN count(*) AS n')).status).toBe(404);
    expect((await owner.get(`/v1/graphs/${graphId}/subgraphs/one`)).status).toBe(404);
    await running.untilPrinted('reached after the copy');
    await start();
    const ended = (await owner.follow(run)).body;
    expect(ended).toMatchObject({
      status: 'completed',
      result: { node_count: berthCount, edge_count: berthCount - 1 },
    });
    expect(await content(ofSubgraph('one'))).toEqual(await content(graphId));
    // Nothing of the killed attempts.
    expect(await databasesOf(ofSubgraph('one'))).toHaveLength(1);
  });

  it('during a fork, three times, fails the run, and nobody sees the subgraph (graphs SG-8)', async () => {
    const point = 'after the copy';
    const run = await killedAt(point, 'create-subgraph', { name: 'three', display_name: 'Fork', fork_parent: true });
    for (let attempt = 2; attempt <= 3; attempt += 1) {
      await start(point);
      await running.untilPrinted(`reached ${point}`);
      await running.kill();
    }
    await start();
    const ended = (await owner.follow(run)).body;
    expect([ended.status, ended.error]).toEqual(['failed', 'Worker lost']);
    expect((await cypher(ofSubgraph('three'), 'MATCH (b:Berth) RETURN count(*) AS n')).status).toBe(404);
  });

  it.each(['in the archive', 'after the archive'])(
    'during a backup, %s, leaves one that cannot be downloaded until the next one has completed it (graphs B-4, B-10)',
    async (point) => {
      const run = await killedAt(point, 'create-backup', {});
      await start(point);
      const [pending] = (await owner.get(`/v1/graphs/${graphId}/backups`)).body.backups;
      expect(['pending', 'in_progress']).toContain(pending.status);
      const path = `/v1/graphs/${graphId}/backups/${pending.backup_id}/download`;
      expect((await owner.get(path)).status).toBe(404);
      await start();
      expect((await owner.follow(run)).body).toMatchObject({ status: 'completed' });
      const { backups } = (await owner.get(`/v1/graphs/${graphId}/backups`)).body;
      expect(backups[0]).toMatchObject({ backup_id: pending.backup_id, status: 'completed', node_count: berthCount });
      const content = await fetch((await owner.get(path)).body.download_url);
      expect((await content.arrayBuffer()).byteLength).toBe(backups[0].compressed_size_bytes);
      expect(await readdir(join(folder, 'files', 'backups', graphId))).toHaveLength(backups.length);
    },
  );
});
