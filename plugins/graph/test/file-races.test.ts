import { request } from 'node:http';
import { defineOperation, definePlugin, graphSchemas, kernel, model } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stagedTables } from '../src/files/index.ts';
import graph from '../src/index.ts';

const schema = {
  name: 'harbour',
  nodes: [{ name: 'Berth', properties: [{ name: 'code', type: 'STRING', is_primary_key: true }] }],
};
const hourMs = 3_600_000;

/** Removes the rows of a file, as a process that is killed in the middle of delete-file does. */
const loseRows = defineOperation({
  name: 'lose-rows',
  summary: 'Removes the staged rows of a file and leaves the file.',
  role: 'member',
  openapi: { id: 'lose_rows', tag: 'files' },
  mcp: { held: 'Only for tests.' },
  input: model('LoseRowsOp', { file_id: Type.String() }),
  output: model('LoseRowsResult', { removed: Type.Integer() }),
  services: { staging: kernel.stagingStore, schemas: graphSchemas },
  async handle({ input, ctx, use }) {
    const [table] = stagedTables(await use.schemas.of(ctx.tx, ctx.graph));
    if (table === undefined) throw new Error('The schema has a table.');
    return { removed: (await use.staging.unstage(ctx.graph.id, table, input.file_id)).removedRows };
  },
});

/** Makes the next file that is staged lose its record, as when a process is killed between the two. */
const loseRecord = defineOperation({
  name: 'lose-record',
  summary: 'Makes the next file that is staged lose its record.',
  role: 'member',
  openapi: { id: 'lose_record', tag: 'files' },
  mcp: { held: 'Only for tests.' },
  input: model('LoseRecordOp', {}),
  output: model('LoseRecordResult', {}),
  services: { staging: kernel.stagingStore },
  async handle({ use: { staging } }) {
    const stage = staging.stage.bind(staging);
    staging.stage = (graphId, table, file, signal) => {
      staging.stage = stage;
      return stage(graphId, table, file, signal, async () => {
        throw new Error('The process is gone.');
      });
    };
    return {};
  },
});

const losing = definePlugin({
  name: 'losing',
  title: 'Losing',
  version: '1.0.0',
  kernel: '^0.1.0',
  dependsOn: ['graph'],
  operations: [loseRows, loseRecord],
});

describe('a file that is used while it goes (graphs 12)', () => {
  const start = new Date();
  const clock = fixedClock(start.toISOString());
  /** What happens in the file store before it reads or removes, and after it has written. */
  const before: { read?: () => Promise<unknown>; write?: () => Promise<unknown>; remove?: (key: string) => void } = {};
  let service: TestService;
  let owner: TestClient;
  let graphId: string;

  const operation = (name: string, input: object) => owner.post(`/v1/graphs/${graphId}/operations/${name}`, input);
  const grant = async (name: string): Promise<{ file_id: string; s3_key: string; upload_url: string }> =>
    (await operation('create-file-upload', { table_name: 'Berth', file_name: name, content_type: 'text/csv' })).body
      .result;
  const put = (url: string, body = 'code\nB1\n') =>
    fetch(url, { method: 'PUT', body, headers: { 'content-type': 'text/csv' } });
  const upload = async (name: string) => {
    const granted = await grant(name);
    expect((await put(granted.upload_url)).status).toBe(200);
    return granted;
  };
  const stagedRows = async () => (await owner.get(`/v1/graphs/${graphId}/tables`)).body.tables[0].row_count;
  /** Work that begins and then waits for `go`. */
  const gate = () => {
    let go = (): void => undefined;
    let arrive = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      go = resolve;
    });
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const wait = (): Promise<void> => {
      arrive();
      return opened;
    };
    return { arrived, wait, go: () => go() };
  };

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph, losing], clock, log: silentLog });
    // The folder of files, which is slow and fails when a test says so.
    const files = service.fileStore;
    const [read, write, remove] = [files.read.bind(files), files.write.bind(files), files.remove.bind(files)];
    files.read = async (key, signal) => {
      await before.read?.();
      return read(key, signal);
    };
    files.write = async (key, chunks, options) => {
      const info = await write(key, chunks, options);
      await before.write?.();
      return info;
    };
    files.remove = async (key) => {
      before.remove?.(key);
      await remove(key);
    };
    // A session would end when the clock moves by a day.
    const { key } = (await (await service.newUser('Owner')).post('/v1/user/api-keys', { name: 'Races' })).body;
    owner = service.anonymous.withHeaders({ 'x-api-key': key });
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    graphId = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
  });
  afterAll(() => service.close());

  it('leaves no rows when it is deleted during its ingestion (graphs F-12)', async () => {
    const { file_id } = await upload('during.csv');
    const { arrived, wait, go } = gate();
    before.read = wait;
    const ingesting = operation('ingest-file', { file_id });
    await arrived;
    expect((await operation('delete-file', { file_id })).status).toBe(200);
    go();
    delete before.read;
    // Its content may be gone before it is read, or its row before it is noted.
    expect((await ingesting).status).toBeGreaterThanOrEqual(400);
    expect(await stagedRows()).toBe(0);
  });

  it('makes the graph stale when a process was killed after it removed the rows (graphs F-12)', async () => {
    const { file_id } = await upload('killed.csv');
    expect((await operation('ingest-file', { file_id })).status).toBe(200);
    expect((await owner.follow((await operation('materialize', {})).body.operationId)).body.status).toBe('completed');
    expect((await operation('lose-rows', { file_id })).body.result.removed).toBe(1);
    const { result } = (await operation('delete-file', { file_id, cascade: true })).body;
    expect(result).toMatchObject({ rows_removed: 0, graph_marked_stale: true, tables_affected: ['Berth'] });
    expect((await owner.get(`/v1/graphs/${graphId}/health`)).body.is_stale).toBe(true);
  });

  it('is read only if it is recorded, when a process was killed after it staged its rows (graphs T-9)', async () => {
    const [kept, lost] = [await upload('kept.csv'), await grant('lost.csv')];
    expect((await operation('ingest-file', { file_id: kept.file_id })).status).toBe(200);
    expect((await put(lost.upload_url, 'code\nB7\nB8\n')).status).toBe(200);
    await operation('lose-record', {});
    expect((await operation('ingest-file', { file_id: lost.file_id })).status).toBe(500);
    const count = await owner.post(`/v1/graphs/${graphId}/query/sql`, { sql: 'SELECT count(*) FROM Berth' });
    expect(count.body.rows).toEqual([[1]]);
    expect((await operation('ingest-file', { file_id: lost.file_id })).status).toBe(200);
    expect(await stagedRows()).toBe(3);
    // A file that was staged before has replaced its rows by the new ones, and stays.
    await operation('lose-record', {});
    expect((await operation('ingest-file', { file_id: lost.file_id })).status).toBe(500);
    const run = await owner.follow((await operation('materialize', { rebuild: true })).body.operationId);
    expect(run.body.result.total_rows).toBe(3);
    for (const { file_id } of [kept, lost]) await operation('delete-file', { file_id });
  });

  it('takes no content after it was deleted, and keeps none that was on its way (graphs F-3, F-12)', async () => {
    const late = await grant('late.csv');
    await operation('delete-file', { file_id: late.file_id });
    expect((await put(late.upload_url)).status).toBe(404);
    const passing = await grant('passing.csv');
    const { arrived, wait, go } = gate();
    before.write = wait;
    const putting = put(passing.upload_url);
    await arrived;
    await operation('delete-file', { file_id: passing.file_id });
    go();
    delete before.write;
    expect((await putting).status).toBe(403);
    for (const key of [late.s3_key, passing.s3_key]) expect(await service.fileStore.info(key)).toBeUndefined();
  });

  it('needs the content type of its grant, also when the client sends none (graphs F-3)', async () => {
    const { upload_url } = await grant('untyped.csv');
    const status = await new Promise((resolve, reject) => {
      const sent = request(upload_url, { method: 'PUT' }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.once('error', reject);
      sent.end('code\nB1\n');
    });
    expect(status).toBe(415);
    expect((await put(upload_url)).status).toBe(200);
  });

  it('is swept with its row, after others failed and unless its ingestion has begun (graphs F-4)', async () => {
    const [failing, waiting, begun] = [
      await upload('failing.csv'),
      await upload('waiting.csv'),
      await upload('begun.csv'),
    ];
    clock.set(new Date(start.getTime() + 23 * hourMs).toISOString());
    const { arrived, wait, go } = gate();
    before.read = wait;
    const ingesting = operation('ingest-file', { file_id: begun.file_id });
    await arrived;
    before.remove = (key) => {
      if (key === failing.s3_key) throw new Error('The disk is not there.');
    };
    clock.set(new Date(start.getTime() + 25 * hourMs).toISOString());
    await expect.poll(() => service.fileStore.info(waiting.s3_key)).toBeUndefined();
    go();
    delete before.read;
    expect((await ingesting).status).toBe(200);
    const names = async () =>
      (await owner.get(`/v1/graphs/${graphId}/files`)).body.files.map((file: { file_name: string }) => file.file_name);
    await expect.poll(names).toEqual(['begun.csv', 'failing.csv']);
    delete before.remove;
    clock.set(new Date(start.getTime() + 27 * hourMs).toISOString());
    await expect.poll(names).toEqual(['begun.csv']);
    expect(await service.fileStore.info(failing.s3_key)).toBeUndefined();
  });

  it('of a backup that expires stays when it cannot be removed, and the others go (graphs B-3)', async () => {
    const keys = async () => {
      const found: string[] = [];
      for await (const { key } of service.fileStore.list('')) if (!key.startsWith('user-staging/')) found.push(key);
      return found;
    };
    clock.set(new Date(start.getTime() + 75 * hourMs).toISOString());
    const earlier = await keys();
    for (let taken = 0; taken < 2; taken += 1) {
      const accepted = await operation('create-backup', { retention_days: 1 });
      expect((await owner.follow(accepted.body.operationId)).body.status).toBe('completed');
    }
    const [first = '', second = ''] = (await keys()).filter((key) => !earlier.includes(key));
    before.remove = (key) => {
      if (key === first) throw new Error('The disk is not there.');
    };
    clock.set(new Date(start.getTime() + 110 * hourMs).toISOString());
    await expect.poll(() => service.fileStore.info(second)).toBeUndefined();
    expect(await service.fileStore.info(first)).toBeDefined();
    delete before.remove;
    clock.set(new Date(start.getTime() + 140 * hourMs).toISOString());
    await expect.poll(() => service.fileStore.info(first)).toBeUndefined();
  });
});
