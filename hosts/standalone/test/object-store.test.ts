/**
 * Goal: with a bucket, files go directly between clients and the object store, and the rules of files and backups hold.
 * Method: the whole program beside a real object store, over HTTP.
 * @module-tag full-run
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ObjectStore,
  objectStoreInstallation,
  objectStoreProgram,
  startObjectStore,
} from '@pacioli/files-s3/testing';
import { TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runPacioli, type Standalone, startStandalone } from './start-standalone.ts';

const isInstalled = objectStoreProgram() !== undefined;
const why = isInstalled ? '' : ` (skipped: no object store is installed; ${objectStoreInstallation})`;
const maxFileBytes = 100 * 1024 * 1024;

const harbour = {
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
  relationships: [],
};

describe.runIf(isInstalled)(`files in a bucket${why}`, () => {
  let folder: string;
  let bucket: ObjectStore;
  let environment: Readonly<Record<string, string>>;
  let server: Standalone;
  let owner: TestClient;
  let graphId: string;

  const operation = (name: string, input: object) => owner.post(`/v1/graphs/${graphId}/operations/${name}`, input);
  const grant = async (name: string) => {
    const input = { table_name: 'Berth', file_name: name, content_type: 'text/csv' };
    return (await operation('create-file-upload', input)).body.result;
  };
  const put = (url: string, body: string | Uint8Array, contentType = 'text/csv') =>
    fetch(url, { method: 'PUT', body, headers: { 'content-type': contentType } });
  const layers = async (fileId: string) => (await owner.get(`/v1/graphs/${graphId}/files/${fileId}`)).body.layers;
  const cypher = async (query: string) => (await owner.post(`/v1/graphs/${graphId}/query/cypher`, { query })).body.data;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-bucket-'));
    bucket = await startObjectStore();
    environment = {
      DATA_DIR: join(folder, 'data'),
      PACIOLI_FILE_STORE_URL: `s3://${bucket.bucket}/books`,
      PACIOLI_FILE_STORE_ENDPOINT: bucket.endpoint,
      PACIOLI_FILE_STORE_PATH_STYLE: 'true',
      PACIOLI_FILE_STORE_ACCESS_KEY_ID: bucket.credentials.accessKeyId,
      PACIOLI_FILE_STORE_SECRET_ACCESS_KEY: bucket.credentials.secretAccessKey,
    };
    server = await startStandalone(environment);
    const person = { name: 'Ann', email: 'ann@example.org', password: 'Harbour-Lantern-42' };
    const { body } = await new TestClient(server.url, {}).post('/v1/auth/register', person);
    owner = new TestClient(server.url, { authorization: `Bearer ${body.token}` });
    const created = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: harbour });
    graphId = (await owner.follow(created.body.operationId)).body.result.graph_id;
  });
  afterAll(async () => {
    await server?.stop();
    await bucket?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are uploaded to the store, staged, downloaded, materialized and queried (graphs F-3, F-5, F-13)', async () => {
    const granted = await grant('berths.csv');
    expect(granted.upload_url).toMatch(`${bucket.endpoint}/${bucket.bucket}/books/${granted.s3_key}?`);
    expect((await put(granted.upload_url, 'code\nB1\n', 'text/html')).status).toBe(403);
    expect((await operation('ingest-file', { file_id: granted.file_id })).status).toBe(404);
    expect((await put(granted.upload_url, 'code,depth_m\nB1,9.5\nB2,12\n')).status).toBe(200);
    // The service learns of the upload when it is asked to ingest it.
    expect((await layers(granted.file_id)).s3.status).toBe('pending');
    const staged = await operation('ingest-file', { file_id: granted.file_id });
    expect(staged.body.result).toMatchObject({ upload_status: 'uploaded', row_count: 2, file_size_bytes: 26 });
    expect(await layers(granted.file_id)).toMatchObject({ s3: { status: 'uploaded' }, duckdb: { status: 'staged' } });
    const { download_url } = (await owner.get(`/v1/graphs/${graphId}/files/${granted.file_id}/download`)).body;
    expect(download_url).toMatch(`${bucket.endpoint}/${bucket.bucket}/books/${granted.s3_key}?`);
    expect(await (await fetch(download_url)).text()).toBe('code,depth_m\nB1,9.5\nB2,12\n');
    const built = await operation('materialize', {});
    expect((await owner.follow(built.body.operationId)).body.result).toMatchObject({
      status: 'success',
      total_rows: 2,
    });
    const query = 'MATCH (b:Berth) RETURN b.code AS code, b.depth_m AS depth ORDER BY code';
    expect(await cypher(query)).toEqual([
      { code: 'B1', depth: 9.5 },
      { code: 'B2', depth: 12 },
    ]);
  });

  it('are measured when they are ingested, because the store takes any size (graphs F-5, L-3)', async () => {
    const granted = await grant('long.csv');
    const row = 'code\n';
    const content = Buffer.alloc(maxFileBytes + 1, 'x');
    content.write(row);
    expect((await put(granted.upload_url, content)).status).toBe(200);
    const refused = await operation('ingest-file', { file_id: granted.file_id });
    expect([refused.status, refused.body.code]).toEqual([400, 'UPLOAD_TOO_LARGE']);
    expect((await put(granted.upload_url, '')).status).toBe(200);
    expect((await operation('ingest-file', { file_id: granted.file_id })).body.code).toBe('FILE_EMPTY');
    expect((await layers(granted.file_id)).s3.status).toBe('pending');
    expect((await operation('delete-file', { file_id: granted.file_id })).status).toBe(200);
  });

  it('are replaced by a second upload only when they are ingested again (graphs F-9)', async () => {
    const granted = await grant('more.csv');
    await put(granted.upload_url, 'code,depth_m\nB3,5\n');
    await operation('ingest-file', { file_id: granted.file_id });
    expect((await put(granted.upload_url, 'code,depth_m\nB3,6\nB4,7\n')).status).toBe(200);
    const depths = async () => {
      const sql = 'SELECT code, depth_m FROM Berth ORDER BY code';
      return (await owner.post(`/v1/graphs/${graphId}/query/sql`, { sql })).body.rows.slice(2);
    };
    expect(await depths()).toEqual([['B3', 5]]);
    expect((await operation('ingest-file', { file_id: granted.file_id })).body.result.row_count).toBe(2);
    expect(await depths()).toEqual([
      ['B3', 6],
      ['B4', 7],
    ]);
  });

  it('have backups that are downloaded from the store and restored (graphs B-4, B-10, B-20)', async () => {
    const accepted = await operation('create-backup', {});
    const taken = (await owner.follow(accepted.body.operationId)).body;
    expect(taken.status).toBe('completed');
    const path = `/v1/graphs/${graphId}/backups/${taken.result.backup_id}/download`;
    const { download_url: url } = (await owner.get(path)).body;
    expect(url).toMatch(`${bucket.endpoint}/${bucket.bucket}/books/backups/`);
    const answer = await fetch(url);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="kg.+_\d{8}_\d{6}\.lbug\.zip"$/);
    const file = join(folder, 'downloaded.zip');
    await writeFile(file, Buffer.from(await answer.arrayBuffer()));
    expect((await readFile(file)).byteLength).toBe(taken.result.compressed_size_bytes);
    const rebuilt = await operation('materialize', { rebuild: true });
    await owner.follow(rebuilt.body.operationId);
    expect(await cypher('MATCH (b:Berth) RETURN count(*) AS n')).toEqual([{ n: 4 }]);
    expect(await server.stop()).toBe(0);
    const restored = await runPacioli(['restore', file, '--graph', graphId], environment);
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('Restored 2 nodes') });
    server = await startStandalone(environment);
    owner = new TestClient(server.url, { authorization: owner.headers['authorization'] ?? '' });
    expect(await cypher('MATCH (b:Berth) RETURN count(*) AS n')).toEqual([{ n: 2 }]);
  });

  it('cannot be ingested while the store is down, and a backup fails (graphs F-5)', async () => {
    await bucket.stop();
    const granted = await grant('late.csv');
    const refused = await operation('ingest-file', { file_id: granted.file_id });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
    const accepted = await operation('create-backup', {});
    expect((await owner.follow(accepted.body.operationId)).body.status).toBe('failed');
  });
});

describe.runIf(process.env['PACIOLI_TEST_REQUIRE_ALL'] === '1')('requirements of PACIOLI_TEST_REQUIRE_ALL', () => {
  it('include an installed object store', () => {
    expect(objectStoreProgram(), objectStoreInstallation).toEqual(expect.any(String));
  });
});
