/**
 * Goal: a process that is killed during `restore` or `import` leaves the graph that was there or the new one, and the
 * command can be repeated, after which nothing is left of the first attempt. Method: whole processes on one folder that
 * stop for good at a point, where they are killed.
 * @module-tag full-run
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, TestClient, type TestDatabase } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrashingProcess } from './crash/crashing-process.ts';
import { berthCount, buildHarbour, harbourOwner, ingestRows } from './crash/harbour.ts';

describe('a command that is killed', () => {
  let folder: string;
  let database: TestDatabase;
  let running: CrashingProcess;
  let owner: TestClient;
  let graphId: string;
  let commands: Readonly<Record<string, object>>;

  const start = async (): Promise<void> => {
    owner = new TestClient(await running.serve(), owner?.headers ?? {});
  };
  /** The numbers of nodes and relationships that a caller reads. */
  const content = async () => {
    const query = 'MATCH (b:Berth) OPTIONAL MATCH (b)-[r:NEXT_TO]->() RETURN count(b) AS nodes, count(r) AS edges';
    return (await owner.post(`/v1/graphs/${graphId}/query/cypher`, { query })).body.data;
  };
  const materialize = async () => {
    const { body } = await owner.post(`/v1/graphs/${graphId}/operations/materialize`, { rebuild: true });
    expect((await owner.follow(body.operationId)).body).toMatchObject({ status: 'completed' });
  };
  const backups = async () => (await owner.get(`/v1/graphs/${graphId}/backups`)).body.backups;
  const saved = [{ nodes: berthCount, edges: berthCount - 1 }];
  const before = [{ nodes: berthCount + 1, edges: berthCount - 1 }];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-killed-'));
    database = await createTestDatabase();
    running = new CrashingProcess(folder, database.url);
    await start();
    owner = owner.withHeaders(await harbourOwner(owner));
    graphId = await buildHarbour(owner);
    const run = await owner.post(`/v1/graphs/${graphId}/operations/create-backup`, {});
    await owner.follow(run.body.operationId);
    const [{ backup_id: id }] = await backups();
    const { download_url: url } = (await owner.get(`/v1/graphs/${graphId}/backups/${id}/download`)).body;
    const [file, bundle] = [join(folder, 'saved.zip'), join(folder, 'bundle')];
    await writeFile(file, new Uint8Array(await (await fetch(url)).arrayBuffer()));
    commands = { restore: { file, graph: graphId }, import: { folder: bundle, graph: graphId } };
    await running.command('export', { folder: bundle, graph: graphId });
    await running.untilPrinted('ended 0');
    await start();
    await ingestRows(owner, graphId, 'Berth', ['code,depth_m', 'Z,1']);
    await materialize();
  });
  afterAll(async () => {
    await running.kill();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ['restore', 'in the archive', before],
    ['restore', 'in the restored file', before],
    ['restore', 'before a removal', saved],
    ['import', 'after a table', before],
    ['import', 'before a removal', saved],
  ])('(%s %s) leaves one whole graph, and is repeated (graphs B-20, P-3)', async (name, point, expected) => {
    const options = commands[name] ?? {};
    await running.command(name, options, point);
    await running.untilPrinted(`reached ${point}`);
    await running.kill();
    await start();
    expect(await content()).toEqual(expected);
    await running.command(name, options);
    await running.untilPrinted('ended 0');
    await start();
    expect(await content()).toEqual(saved);
    const databases = (await readdir(join(folder, 'graphs'))).filter((each) => each.startsWith(graphId));
    expect(databases).toEqual([expect.stringMatching(/\.g\d+\.lbug$/)]);
    const listed = await backups();
    expect(await readdir(join(folder, 'files', 'backups', graphId))).toHaveLength(
      listed.filter(({ status }: { status: string }) => status === 'completed').length,
    );
    expect((await owner.get(`/v1/graphs/${graphId}/health`)).body).toMatchObject({ is_stale: true });
    await materialize();
    expect(await content()).toEqual(before);
  });
});
