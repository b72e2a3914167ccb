/** @module-tag engines */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Database } from '@ladybugdb/core';
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
import { fromBuffer } from 'yauzl';
import graph from '../src/index.ts';

const clock = fixedClock('2026-03-02T23:50:00Z');

const schema = {
  name: 'harbour',
  nodes: [{ name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] }],
};

/** The members of a ZIP by name, read with another library than the one that wrote it. */
function membersOf(zip: Buffer): Promise<Record<string, Buffer>> {
  return new Promise((resolve, reject) => {
    fromBuffer(zip, { lazyEntries: true }, (failure, file) => {
      if (failure) return reject(failure);
      const members: Record<string, Buffer> = {};
      file.on('end', () => resolve(members));
      file.on('entry', (entry) => {
        file.openReadStream(entry, async (error, stream) => {
          if (error) return reject(error);
          members[entry.fileName] = Buffer.concat(await stream.toArray());
          file.readEntry();
        });
      });
      file.readEntry();
    });
  });
}

describe('backups', () => {
  let service: TestService;
  let owner: TestClient;
  let member: TestClient;
  let stranger: TestClient;
  let folder: string;
  let graphId: string;
  let backupId: string;

  const extension = () => service.graphStore.capabilities.snapshotExtension;
  const operation = (client: TestClient, name: string, input: object, of = graphId) =>
    client.post(`/v1/graphs/${of}/operations/${name}`, input);
  const list = async (client = owner, of = graphId) => (await client.get(`/v1/graphs/${of}/backups`)).body;
  const write = (query: string, of: string) => owner.post(`/v1/graphs/${of}/query/cypher`, { query });
  const urlOf = (client: TestClient, id: string, query = '') =>
    client.get(`/v1/graphs/${graphId}/backups/${id}/download${query}`);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-backups-'));
    service = await startTestService({ plugins: [graph], settings: teamSettings, clock });
    owner = await service.newUser('Owner');
    stranger = await service.newUser('Stranger');
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    graphId = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
    const joined = await joinTeam(service, owner);
    member = joined.client;
    await owner.post(`/v1/graphs/${graphId}/members`, { user_id: joined.userId, role: 'member' });
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are taken by admins and kept for as long as the tier allows (graphs B-1, B-3)', async () => {
    expect((await operation(member, 'create-backup', {})).status).toBe(403);
    const accepted = await operation(owner, 'create-backup', { retention_days: 30 });
    expect(accepted).toMatchObject({
      status: 202,
      body: {
        status: 'pending',
        result: { status: 'accepted', retention_days: 7, message: expect.stringContaining('at most 7 days') },
      },
    });
    expect((await owner.follow(accepted.body.operationId)).body.status).toBe('completed');
    backupId = accepted.body.result.backup_id;
    expect(await list(member)).toMatchObject({
      total_count: 1,
      backups: [
        {
          backup_id: backupId,
          graph_id: graphId,
          status: 'completed',
          initiated_by: 'user',
          node_count: 0,
          download_extension: `.${extension()}.zip`,
          expires_at: '2026-03-09T23:50:00.000Z',
        },
      ],
    });
  });

  it.each([
    [{ backup_format: 'csv' }, 400],
    [{ backup_type: 'incremental' }, 422],
    [{ schedule: 'daily' }, 400],
    [{ retention_days: 0 }, 422],
    [{ retention_days: 91 }, 422],
  ])('are refused with %j (graphs B-1)', async (input, status) => {
    expect((await operation(owner, 'create-backup', input)).status).toBe(status);
    expect((await list()).total_count).toBe(1);
  });

  it('are downloaded by admins as an archive that the stock engine opens (graphs B-4, B-10, P-2)', async () => {
    expect((await urlOf(member, backupId)).status).toBe(403);
    expect((await urlOf(owner, 'bk_none')).status).toBe(404);
    const granted = (await urlOf(owner, backupId, '?expires_in=300')).body;
    expect(granted).toMatchObject({
      backup_id: backupId,
      expires_in: 300,
      expires_at: clock.now().getTime() / 1_000 + 300,
    });
    const answer = await fetch(granted.download_url);
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="${graphId}_20260302_235000.${extension()}.zip"`,
    );
    const members = await membersOf(Buffer.from(await answer.arrayBuffer()));
    const manifest = JSON.parse(members['manifest.json']?.toString() ?? '');
    expect(manifest).toMatchObject({
      graph_id: graphId,
      graph_type: 'generic',
      format: expect.stringMatching(/^(?:ladybug|pacioli-graph-rows)\//),
      nodes: { Vessel: 0 },
      taken_at: '2026-03-02T23:50:00.000Z',
      members: [{ name: `${graphId}.${extension()}`, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    if (extension() !== 'lbug') return;
    const file = join(folder, 'opened.lbug');
    await writeFile(file, members[`${graphId}.lbug`] ?? '');
    const database = new Database(file, 2 ** 26, true, true, 2 ** 30);
    const connection = new Connection(database);
    const result = await connection.query('MATCH (n) RETURN count(n) AS total');
    if (Array.isArray(result)) throw new Error('One statement has one result.');
    expect(result.getAllSync()).toEqual([{ total: 0 }]);
    result.close();
    await connection.close();
    await database.close();
  });

  it('are no more than the tier allows a day, failed ones aside (graphs B-2)', async () => {
    const second = await operation(owner, 'create-backup', {});
    await owner.follow(second.body.operationId);
    const third = await operation(owner, 'create-backup', {});
    expect([third.status, third.body.detail]).toEqual([
      429,
      expect.stringContaining('(2/2 on the ladybug-standard tier)'),
    ]);
    clock.advance(1_200_000);
    const next = await operation(owner, 'create-backup', { retention_days: 1 });
    expect((await owner.follow(next.body.operationId)).body.status).toBe('completed');
  });

  it('have statistics over all of them (graphs B-7)', async () => {
    const { backups } = await list();
    const sum = (field: string) =>
      backups.reduce((total: number, each: Record<string, number>) => total + (each[field] ?? 0), 0);
    expect((await member.get(`/v1/graphs/${graphId}/backups/stats`)).body).toEqual({
      graph_id: graphId,
      total_backups: 3,
      successful_backups: 3,
      failed_backups: 0,
      success_rate: 100,
      total_original_size_bytes: sum('original_size_bytes'),
      total_compressed_size_bytes: sum('compressed_size_bytes'),
      storage_saved_bytes: Math.max(0, sum('original_size_bytes') - sum('compressed_size_bytes')),
      average_compression_ratio: expect.any(Number),
      latest_backup_date: '2026-03-03T00:10:00.000Z',
      backup_formats: { full_dump: 3 },
    });
  });

  it('are downloaded as often a month as the tier allows, also without rate limits (graphs B-11)', async () => {
    const statuses: number[] = [];
    for (let count = 2; count <= 10; count += 1) statuses.push((await urlOf(owner, backupId)).status);
    expect(statuses).toEqual(Array.from({ length: 9 }, () => 200));
    const refused = await urlOf(owner, backupId);
    expect([refused.status, refused.body.code]).toEqual([429, 'DOWNLOAD_LIMIT_REACHED']);
    expect(['limit', 'remaining', 'reset'].map((name) => refused.headers.get(`x-ratelimit-${name}`))).toEqual([
      '10',
      '0',
      String(Date.UTC(2026, 3, 1) / 1_000),
    ]);
  });

  it('belong to their graph alone', async () => {
    const other = await stranger.createGraph('Other', []);
    expect((await stranger.get(`/v1/graphs/${other}/backups/${backupId}/download`)).status).toBe(404);
    expect((await stranger.get(`/v1/graphs/${graphId}/backups`)).status).toBe(403);
    expect((await list(stranger, other)).total_count).toBe(0);
  });

  it('come before the deletion of a subgraph, in the list of its parent (graphs SG-13)', async () => {
    const sub = `${graphId}_dev`;
    await operation(member, 'create-subgraph', { name: 'dev', display_name: 'Dev' });
    await write("CREATE (:Vessel {imo: 'e1'})", sub);
    expect((await operation(member, 'delete-subgraph', { subgraph_name: 'dev' })).status).toBe(403);
    const full = await operation(owner, 'delete-subgraph', { subgraph_name: 'dev' });
    expect([full.status, full.body.detail]).toEqual([409, expect.stringContaining('contains data. Use force=true')]);
    const deleted = await operation(owner, 'delete-subgraph', { subgraph_name: 'DEV', force: true });
    expect(deleted).toMatchObject({
      status: 200,
      body: { status: 'completed', result: { graph_id: sub, status: 'deleted' } },
    });
    const [newest] = (await list()).backups;
    expect(newest).toMatchObject({
      backup_id: deleted.body.result.backup_id,
      graph_id: sub,
      initiated_by: 'final',
      node_count: 1,
    });
    expect(Date.parse(newest.expires_at) - Date.parse(newest.created_at)).toBe(90 * 86_400_000);
    expect((await owner.get(`/v1/graphs/${sub}/schema`)).status).toBe(403);
    expect((await operation(owner, 'delete-subgraph', { subgraph_name: 'dev' })).status).toBe(404);
  });

  it('do not let a new subgraph see what an older one of its name had (graphs I-3)', async () => {
    const made = await operation(member, 'create-subgraph', { name: 'dev', display_name: 'Dev again' });
    expect(made.body.result.subgraph_index).toBe(2);
    expect((await owner.get(`/v1/graphs/${graphId}/subgraphs/dev`)).body.last_accessed).toBeNull();
    const count = await write('MATCH (v:Vessel) RETURN count(*) AS n', `${graphId}_dev`);
    expect(count.body.data).toEqual([{ n: 0 }]);
    expect((await operation(owner, 'delete-subgraph', { subgraph_name: 'dev' })).status).toBe(200);
  });

  it('keep a subgraph that cannot be backed up (graphs SG-13)', async () => {
    await operation(member, 'create-subgraph', { name: 'kept', display_name: 'Kept' });
    await write("CREATE (:Vessel {imo: 'e1'})", `${graphId}_kept`);
    const { write: works } = service.fileStore;
    service.fileStore.write = async () => {
      throw new FileStoreError('unavailable', 'The disk is full.');
    };
    const failed = await operation(owner, 'delete-subgraph', { subgraph_name: 'kept', force: true });
    service.fileStore.write = works;
    expect([failed.status, failed.body.detail]).toEqual([503, expect.stringContaining('The backup was not taken')]);
    expect((await write('MATCH (v:Vessel) RETURN count(*) AS n', `${graphId}_kept`)).body.data).toEqual([{ n: 1 }]);
    expect((await list()).backups[0]).toMatchObject({ status: 'failed', graph_id: `${graphId}_kept` });
  });
});
