/** @module-tag engines */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import type { Manifest } from '../src/backups/archive.ts';
import { readArchive } from '../src/backups/read-archive.ts';
import graph from '../src/index.ts';

const schema = {
  name: 'harbour',
  nodes: [{ name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] }],
};

describe('the command restore', () => {
  const printed: string[] = [];
  let service: TestService;
  let owner: TestClient;
  let folder: string;
  let graphId: string;
  let file: string;
  let sub: string;
  let length: number;

  const restore = (options: Record<string, unknown>) => {
    const command = service.service.commands.find(({ name }) => name === 'restore');
    if (command === undefined) throw new Error('There is no command restore.');
    return command.run({ options, print: (line) => printed.push(line) });
  };
  const vessels = async () => (await write('MATCH (v:Vessel) RETURN v.imo AS imo ORDER BY imo', sub)).body.data;

  const create = async (name: string): Promise<string> => {
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: name }, custom_schema: schema });
    return (await owner.follow(accepted.body.operationId)).body.result.graph_id;
  };
  const operation = (name: string, input: object, of = graphId) =>
    owner.post(`/v1/graphs/${of}/operations/${name}`, input);
  const list = async (of: string) => (await owner.get(`/v1/graphs/${of}/backups`)).body;
  const write = (query: string, of: string) => owner.post(`/v1/graphs/${of}/query/cypher`, { query });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-restored-'));
    service = await startTestService({ plugins: [graph] });
    owner = await service.newUser('Owner');
    graphId = await create('Harbour');
    await operation('create-subgraph', { name: 'kept', display_name: 'Kept' });
    sub = `${graphId}_kept`;
    for (const imo of ['e1', 'e2', 'e3']) await write(`CREATE (:Vessel {imo: '${imo}'})`, sub);
    const accepted = await operation('create-backup', {}, sub);
    await owner.follow(accepted.body.operationId);
    const id = accepted.body.result.backup_id;
    const { download_url } = (await owner.get(`/v1/graphs/${sub}/backups/${id}/download`)).body;
    file = join(folder, 'kept.lbug.zip');
    const download = await fetch(download_url);
    length = Number(download.headers.get('content-length'));
    await writeFile(file, Buffer.from(await download.arrayBuffer()));
  });

  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('takes a download that states its length (graphs B-10)', async () => {
    expect(length).toBe((await readFile(file)).byteLength);
  });

  it('restores every row, after a backup of what was there (graphs B-20)', async () => {
    await write('MATCH (v:Vessel) DELETE v', sub);
    await write("CREATE (:Vessel {imo: 'later'})", sub);
    expect(await restore({ file, graph: sub })).toBe(0);
    expect(await vessels()).toEqual([{ imo: 'e1' }, { imo: 'e2' }, { imo: 'e3' }]);
    expect(printed.join('\n')).toContain('Restored 3 nodes and 0 relationships');
    expect((await list(sub)).backups[0]).toMatchObject({ initiated_by: 'final', node_count: 1 });
    await write("CREATE (:Vessel {imo: 'e4'})", sub);
    expect(await vessels()).toHaveLength(4);
  });

  it('restores a backup of a subgraph into the graph itself, which is stale then (graphs B-20)', async () => {
    expect(await restore({ file, graph: graphId, skip_final_backup: true })).toBe(0);
    expect((await write('MATCH (v:Vessel) RETURN count(*) AS n', graphId)).body.data).toEqual([{ n: 3 }]);
    const health = (await owner.get(`/v1/graphs/${graphId}/health`)).body;
    expect(health).toMatchObject({ is_stale: true, stale_reason: 'backup_restored' });
  });

  it.each([
    ['text', (content: Buffer) => Buffer.from(`${content.length} bytes, no archive`)],
    ['cut', (content: Buffer) => content.subarray(0, content.length - 100)],
    [
      'changed',
      (content: Buffer) => Buffer.concat([content.subarray(0, 200), Buffer.from('damage'), content.subarray(206)]),
    ],
  ])('refuses a file that is damaged: %s (graphs B-20)', async (name, damage) => {
    const path = join(folder, `${name}.zip`);
    await writeFile(path, damage(await readFile(file)));
    const before = await vessels();
    await expect(restore({ file: path, graph: sub })).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' });
    expect(await vessels()).toEqual(before);
  });

  it.each<[string, (manifest: Manifest) => Buffer | undefined, string]>([
    ['another format', (manifest) => void Object.assign(manifest, { format: 'other/1' }), 'is of format other/1'],
    ['other counts', (manifest) => void Object.assign(manifest, { nodes: { Vessel: 9 } }), 'its rows are not those'],
    ['no database', () => Buffer.from('x'.repeat(9_000)), 'The backup was not restored.'],
  ])('refuses an archive with %s before a backup of what is there (graphs B-20)', async (name, change, message) => {
    const archive = await readArchive(file);
    const chunks = [];
    for await (const chunk of await archive.content()) chunks.push(chunk);
    archive.close();
    const manifest = structuredClone(archive.manifest);
    const content = change(manifest) ?? Buffer.concat(chunks);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const members = manifest.members.map((member) => ({ ...member, bytes: content.length, sha256 }));
    const zip = new ZipFile();
    zip.addBuffer(content, members[0]?.name ?? '');
    zip.addBuffer(Buffer.from(JSON.stringify({ ...manifest, members })), 'manifest.json');
    zip.end();
    const path = join(folder, `${name}.zip`);
    await writeFile(path, zip.outputStream);
    const [before, backups] = [await vessels(), await list(sub)];
    await expect(restore({ file: path, graph: sub })).rejects.toMatchObject({
      code: 'BACKUP_NOT_RESTORED',
      message: expect.stringContaining(message),
    });
    expect(await vessels()).toEqual(before);
    expect(await list(sub)).toEqual(backups);
  });

  it('says when a file cannot be read, as opposed to one that is damaged (graphs B-20)', async () => {
    for (const [path, reason] of [
      [join(folder, 'none.zip'), 'It does not exist'],
      [folder, 'It is not a file.'],
    ] as const)
      await expect(restore({ file: path, graph: sub })).rejects.toMatchObject({
        code: 'BACKUP_UNREADABLE',
        message: expect.stringContaining(`The file ${path} cannot be read. ${reason}`),
      });
  });

  it('refuses a backup with another schema, unless it is allowed (graphs B-20)', async () => {
    const made = await operation('create-subgraph', {
      name: 'other',
      display_name: 'Other',
      subgraph_type: 'knowledge',
    });
    expect(made.status).toBe(200);
    const graph = `${graphId}_other`;
    const refused = { code: 'SCHEMA_DIFFERS', message: expect.stringContaining('another schema') };
    await expect(restore({ file, graph })).rejects.toMatchObject(refused);
    expect((await list(graph)).backups).toEqual([]);
    expect(await restore({ file, graph, other_schema: true })).toBe(0);
  });

  it('refuses a graph that was deleted (graphs B-20)', async () => {
    const gone = await create('Gone');
    expect((await operation('delete-graph', { confirm: gone }, gone)).status).toBe(202);
    await expect(restore({ file, graph: gone })).rejects.toMatchObject({
      code: 'GRAPH_NOT_ACTIVE',
      message: `The graph '${gone}' was deleted. Create a new graph with the same schema, and name that.`,
    });
  });

  it('refuses a graph that does not exist (graphs B-20)', async () => {
    await expect(restore({ file, graph: `${graphId}_none` })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
