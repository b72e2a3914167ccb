/**
 * Goal: a process that is killed during a fork or a backup leaves nothing half-done that callers can see, and the next
 * one completes the run. Method: a whole process that stops for good at a point, where it is killed; the next one
 * starts on the same folder.
 * @module-tag full-run
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './start-standalone.ts';

const program = fileURLToPath(new URL('./crash/process.ts', import.meta.url));
const schema = {
  name: 'harbour',
  nodes: [
    {
      name: 'Berth',
      properties: [
        { name: 'code', type: 'STRING', is_primary_key: true },
        { name: 'depth_m', type: 'DOUBLE' },
      ],
    },
  ],
  relationships: [{ name: 'NEXT_TO', from_node: 'Berth', to_node: 'Berth', properties: [] }],
};
const rows = 500;

describe('a process that is killed', () => {
  let folder: string;
  let child: ChildProcess | undefined;
  let output = '';
  let owner: TestClient;
  let graphId: string;

  const start = async (point = ''): Promise<void> => {
    await kill();
    const port = await freePort();
    output = '';
    child = spawn(process.execPath, ['--import', 'tsx', program, folder, String(port), point], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await untilPrinted('ready');
    owner = new TestClient(`http://127.0.0.1:${port}`, owner?.headers ?? {});
  };
  const untilPrinted = async (text: string): Promise<void> => {
    while (!output.includes(text)) {
      if (child?.exitCode !== null || child.stdout === null) throw new Error(`The process ended before "${text}".`);
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    }
  };
  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  /** Runs an operation until the process reaches a point, kills it there, and starts the next one. */
  const killedAt = async (point: string, name: string, input: object): Promise<string> => {
    await start(point);
    const accepted = await owner.post(`/v1/graphs/${graphId}/operations/${name}`, input);
    await untilPrinted(`reached ${point}`);
    await kill();
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
    await start();
    const person = { name: 'Kim', email: 'kim@example.org', password: 'Harbour-Lantern-42' };
    const { body } = await owner.post('/v1/auth/register', person);
    owner = owner.withHeaders({ authorization: `Bearer ${body.token}` });
    const { key } = (await owner.post('/v1/user/api-keys', { name: 'crash' })).body;
    owner = new TestClient(owner.url, { 'x-api-key': key });
    const created = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    graphId = (await owner.follow(created.body.operationId)).body.result.graph_id;
    const codes = Array.from({ length: rows }, (_, index) => `B${String(index).padStart(4, '0')}`);
    const files = {
      Berth: `code,depth_m\n${codes.map((code, index) => `${code},${index / 2}`).join('\n')}\n`,
      NEXT_TO: `from,to\n${codes
        .slice(1)
        .map((code, index) => `${codes[index]},${code}`)
        .join('\n')}\n`,
    };
    for (const [table, text] of Object.entries(files)) {
      const input = { table_name: table, file_name: `${table}.csv`, content_type: 'text/csv' };
      const { result } = (await owner.post(`/v1/graphs/${graphId}/operations/create-file-upload`, input)).body;
      await fetch(result.upload_url, { method: 'PUT', body: text, headers: { 'content-type': 'text/csv' } });
      await owner.post(`/v1/graphs/${graphId}/operations/ingest-file`, { file_id: result.file_id });
    }
    const built = await owner.post(`/v1/graphs/${graphId}/operations/materialize`, {});
    expect((await owner.follow(built.body.operationId)).body.result.total_rows).toBe(2 * rows - 1);
  });
  afterAll(async () => {
    await kill();
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
    await untilPrinted('reached after the copy');
    await start();
    const ended = (await owner.follow(run)).body;
    expect(ended).toMatchObject({ status: 'completed', result: { node_count: rows, edge_count: rows - 1 } });
    expect(await content(ofSubgraph('one'))).toEqual(await content(graphId));
    // Nothing of the killed attempts.
    expect(await databasesOf(ofSubgraph('one'))).toHaveLength(1);
  });

  it('during a fork, three times, fails the run, and nobody sees the subgraph (graphs SG-8)', async () => {
    const point = 'after the copy';
    const run = await killedAt(point, 'create-subgraph', { name: 'three', display_name: 'Fork', fork_parent: true });
    for (let attempt = 2; attempt <= 3; attempt += 1) {
      await start(point);
      await untilPrinted(`reached ${point}`);
      await kill();
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
      expect((await owner.follow(run)).body.status).toBe('completed');
      const { backups } = (await owner.get(`/v1/graphs/${graphId}/backups`)).body;
      expect(backups[0]).toMatchObject({ backup_id: pending.backup_id, status: 'completed', node_count: rows });
      const content = await fetch((await owner.get(path)).body.download_url);
      expect((await content.arrayBuffer()).byteLength).toBe(backups[0].compressed_size_bytes);
      expect(await readdir(join(folder, 'files', 'backups', graphId))).toHaveLength(backups.length);
    },
  );
});
