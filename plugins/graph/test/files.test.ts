/** @module-tag engines */
import { joinTeam, startTestService, type TestClient, type TestService, teamSettings } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';
import { harbour, vessels } from './harbour.ts';

describe('files of a generic graph (graphs 22.1)', () => {
  let service: TestService;
  let owner: TestClient;
  let viewer: TestClient;
  let stranger: TestClient;
  let graphId: string;

  const operation = (name: string, input: object, client = owner, of = graphId) =>
    client.post(`/v1/graphs/${of}/operations/${name}`, input);
  const types = { csv: 'text/csv', json: 'application/json', parquet: 'application/x-parquet' } as const;
  const granted = async (table: string, name: string) => {
    const contentType = types[name.split('.').at(-1) as keyof typeof types]; // The tests give one of them.
    return (await operation('create-file-upload', { table_name: table, file_name: name, content_type: contentType }))
      .body.result;
  };
  const upload = async (table: string, name: string, content: string): Promise<string> => {
    const { upload_url, file_id } = await granted(table, name);
    const headers = { 'content-type': types[name.split('.').at(-1) as keyof typeof types] };
    expect((await fetch(upload_url, { method: 'PUT', body: content, headers })).status).toBe(200);
    return file_id;
  };
  const ingest = async (table: string, name: string, content: string) =>
    operation('ingest-file', { file_id: await upload(table, name, content) });
  const materialize = async (input: object = {}) => {
    const accepted = await operation('materialize', input);
    return accepted.body.status === 'pending' ? owner.follow(accepted.body.operationId) : accepted;
  };
  const sql = async (text: string, parameters?: unknown, client = owner) =>
    client.post(`/v1/graphs/${graphId}/query/sql`, { sql: text, ...(parameters === undefined ? {} : { parameters }) });
  const cypher = async (query: string) => (await owner.post(`/v1/graphs/${graphId}/query/cypher`, { query })).body.data;
  const rowsOf = async () => {
    const { tables } = (await viewer.get(`/v1/graphs/${graphId}/tables`)).body;
    return tables.map((each: Record<string, unknown>) => [each['table_name'], each['row_count'], each['file_count']]);
  };

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph], settings: teamSettings });
    owner = await service.newUser('Owner');
    stranger = await service.newUser('Stranger');
    const create = (customSchema: object) =>
      owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: customSchema });
    const isBase = service.graphStore.capabilities.types === 'base';
    if (isBase) expect((await create(harbour('DECIMAL(9,2)'))).status).toBe(422);
    const accepted = await create(harbour(isBase ? 'STRING' : 'DECIMAL(9,2)'));
    graphId = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
    const joined = await joinTeam(service, owner);
    viewer = joined.client;
    await owner.post(`/v1/graphs/${graphId}/members`, { user_id: joined.userId, role: 'viewer' });
  });
  afterAll(() => service.close());

  it('begin with a table for each declared type, without rows (graphs T-1)', async () => {
    expect(await rowsOf()).toEqual([
      ['Vessel', 0, 0],
      ['Berth', 0, 0],
      ['VESSEL_CALLS_AT_BERTH', 0, 0],
    ]);
    expect((await sql('SELECT * FROM Vessel')).body).toMatchObject({
      columns: ['imo', 'name', 'gross_tonnes', '_file_id'],
      row_count: 0,
    });
  });

  it.each([
    [{ file_name: 'v.csv', content_type: 'text/csv' }, 400, 'table_name'],
    [
      { file_name: 'v.xlsx', content_type: 'application/vnd.ms-excel', table_name: 'Vessel' },
      400,
      'Unsupported file format',
    ],
    [{ file_name: 'v.json', content_type: 'text/csv', table_name: 'Vessel' }, 400, 'ends with .csv'],
    [{ file_name: '../v.csv', content_type: 'text/csv', table_name: 'Vessel' }, 400, 'no slashes'],
    [
      { file_name: 'v.csv', content_type: 'text/csv', table_name: 'Vessel', file_size_bytes: 200_000_000 },
      413,
      'Split it',
    ],
    [{ file_name: 'v.csv', content_type: 'text/csv', table_name: 'Crane' }, 400, 'It has: Vessel, Berth'],
  ])('are refused with the reason: %j (graphs F-1, T-3)', async (input, status, message) => {
    const refused = await operation('create-file-upload', input);
    expect([refused.status, refused.body.detail]).toEqual([status, expect.stringContaining(message)]);
  });

  it('are staged with the last row of a key, and read by SQL at once (graphs F-5, F-6, T-7, SQ-7)', async () => {
    const staged = await ingest('Vessel', 'v.csv', vessels);
    expect(staged).toMatchObject({
      status: 200,
      body: {
        status: 'completed',
        result: { row_count: 3, duckdb_status: 'staged', staged: true, upload_status: 'uploaded' },
      },
    });
    const found = await sql('SELECT count(*), max(name) FROM Vessel WHERE imo = $imo', { imo: '9300001' });
    expect(found.body.rows).toEqual([[1, 'Alba II']]);
    expect((await sql('SELECT gross_tonnes FROM Vessel WHERE imo = ?', ['9300001'])).body.rows).toEqual([
      ['9007199254740993'],
    ]);
    expect(await cypher('MATCH (v:Vessel) RETURN count(*) AS n')).toEqual([{ n: 0 }]);
    expect((await owner.get(`/v1/graphs/${graphId}/health`)).body).toMatchObject({
      is_stale: true,
      stale_reason: 'file_staged: v.csv',
    });
  });

  it('warn of references to rows that are not staged, which fail the materialization (graphs T-8, M-24)', async () => {
    await ingest('Berth', 'b.csv', 'code,depth_m,fee\nB1,9.5,12.50\nB2,12.0,\n');
    const calls =
      'from,to,arrived,hours\n9300001,B1,2026-02-03,10.0\n9300001,B1,2026-03-07,8.5\n9300002,B9,2026-03-01,4.0\n';
    const staged = await ingest('VESSEL_CALLS_AT_BERTH', 'c.csv', calls);
    expect(staged.body.result.warnings).toEqual(['1 row has an unknown Berth (B9)']);
    const dry = await materialize({ dry_run: true });
    expect(dry.body).toMatchObject({
      status: 'completed',
      result: {
        status: 'dry_run',
        operation_id: 'dry_run',
        total_rows: 7,
        limit_check: { allowed: true, current_usage: { total_pending_rows: 7 }, tier: 'ladybug-standard' },
      },
    });
    expect(dry.body.result.tables[2]).toEqual({
      table_name: 'VESSEL_CALLS_AT_BERTH',
      row_count: 3,
      dangling: 1,
      dangling_examples: ['B9'],
    });
    const failed = await materialize();
    expect(failed.body).toMatchObject({ status: 'failed', error: expect.stringContaining('B9') });
    expect(await cypher('MATCH (v:Vessel) RETURN count(*) AS n')).toEqual([{ n: 0 }]);
  });

  it('fill the graph when they are complete (graphs M-10, M-20)', async () => {
    await ingest('Berth', 'more.json', '[{"code": "B9", "depth_m": 14.0}]');
    expect(await rowsOf()).toEqual([
      ['Vessel', 2, 1],
      ['Berth', 3, 2],
      ['VESSEL_CALLS_AT_BERTH', 3, 1],
    ]);
    const done = await materialize();
    expect(done.body).toMatchObject({ status: 'completed', result: { status: 'success', total_rows: 8 } });
    const query = `MATCH (v:Vessel)-[c:VESSEL_CALLS_AT_BERTH]->(b:Berth)
      RETURN v.name AS vessel, count(c) AS calls, sum(c.hours) AS hours ORDER BY vessel`;
    expect(await cypher(query)).toEqual([
      { vessel: 'Alba II', calls: 2, hours: 18.5 },
      { vessel: 'Brig', calls: 1, hours: 4 },
    ]);
    expect(await cypher("MATCH (v:Vessel {imo: '9300001'}) RETURN v.gross_tonnes AS t")).toEqual([
      { t: '9007199254740993' },
    ]);
    expect(await cypher("MATCH (b:Berth {code: 'B1'}) RETURN b.fee AS fee, b.depth_m AS depth")).toEqual([
      { fee: '12.50', depth: 9.5 },
    ]);
    expect((await materialize()).body.result).toMatchObject({ status: 'skipped' });
  });

  it('need a rebuild when some are in the graph and others are not (graphs M-5)', async () => {
    await ingest('Vessel', 'third.json', '{"imo": "9300003", "name": "Corvette"}\n');
    const refused = await operation('materialize', {});
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('rebuild=true')]);
    expect((await materialize({ rebuild: true })).body.result).toMatchObject({ status: 'success', total_rows: 9 });
    expect((await operation('materialize', { source: 'extensions' })).status).toBe(400);
  });

  it('are refused with row and column, and what was staged stays (graphs T-6, F-8)', async () => {
    const wrong = await ingest('Vessel', 'wrong.csv', 'imo,name,gross_tonnes\n1,A,many\n2,,5\n');
    expect([wrong.status, wrong.body.detail]).toEqual([
      422,
      expect.stringContaining('gross_tonnes: 1 value of another type'),
    ]);
    expect(wrong.body.details.faults).toContainEqual({
      column: 'gross_tonnes',
      reason: 'cast',
      count: 1,
      examples: [{ row: 1, value: 'many' }],
    });
    const unreadable = await ingest('Vessel', 'no.parquet', 'this is no parquet');
    expect([unreadable.status, unreadable.body.code]).toEqual([400, 'FILE_UNREADABLE']);
    expect((await ingest('Vessel', 'empty.csv', '')).body.code).toBe('FILE_EMPTY');
    const { file_id } = await granted('Vessel', 'never.csv');
    expect((await operation('ingest-file', { file_id })).status).toBe(404);
    expect((await operation('ingest-file', { file_id: 'gf_none' })).status).toBe(404);
    // Rejected files are not counted.
    expect((await rowsOf())[0]).toEqual(['Vessel', 3, 2]);
  });

  it('are listed and read with their state in each layer (graphs F-11)', async () => {
    const list = (await viewer.get(`/v1/graphs/${graphId}/files?table_name=Berth`)).body;
    expect(list).toMatchObject({
      total_files: 2,
      table_name: 'Berth',
      files: [{ file_name: 'more.json' }, { file_name: 'b.csv' }],
    });
    const file = (await viewer.get(`/v1/graphs/${graphId}/files/${list.files[1].file_id}`)).body;
    expect(file).toMatchObject({
      table_name: 'Berth',
      row_count: 2,
      layers: { s3: { status: 'uploaded' }, duckdb: { status: 'staged', row_count: 2 }, graph: { status: 'ingested' } },
    });
    expect((await viewer.get(`/v1/graphs/${graphId}/files?table_name=Crane`)).status).toBe(404);
    expect((await viewer.get(`/v1/graphs/${graphId}/files/gf_none`)).status).toBe(404);
    const other = await stranger.createGraph('Other', []);
    expect((await stranger.get(`/v1/graphs/${other}/files/${list.files[1].file_id}`)).status).toBe(404);
    expect((await stranger.get(`/v1/graphs/${graphId}/files`)).status).toBe(403);
  });

  it('are downloaded as they were uploaded, by a URL that ends (graphs F-13, P-1)', async () => {
    const files = `/v1/graphs/${graphId}/files`;
    const [, { file_id }] = (await viewer.get(`${files}?table_name=Berth`)).body.files;
    const { body } = await viewer.get(`${files}/${file_id}/download?expires_in=300`);
    expect(body).toMatchObject({ expires_in: 300, file_id, graph_id: graphId });
    const answer = await fetch(body.download_url);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv']);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="b.csv"');
    expect(await answer.text()).toBe('code,depth_m,fee\nB1,9.5,12.50\nB2,12.0,\n');
    for (const [client, path, status] of [
      [viewer, `${files}/gf_none/download`, 404],
      [viewer, `${files}/${(await granted('Vessel', 'never.csv')).file_id}/download`, 404],
      [viewer, `${files}/${file_id}/download?expires_in=10`, 422],
      [stranger, `${files}/${file_id}/download`, 403],
    ] as const)
      expect([path, (await client.get(path)).status]).toEqual([path, status]);
  });

  it('leave with their rows, and the graph keeps these until the next rebuild (graphs F-12)', async () => {
    const { files } = (await owner.get(`/v1/graphs/${graphId}/files?table_name=VESSEL_CALLS_AT_BERTH`)).body;
    const [{ file_id, s3_key }] = files;
    expect((await operation('delete-file', { file_id }, viewer)).status).toBe(403);
    const deleted = await operation('delete-file', { file_id, cascade: true });
    expect(deleted).toMatchObject({
      status: 200,
      body: { result: { status: 'deleted', tables_affected: ['VESSEL_CALLS_AT_BERTH'], graph_marked_stale: true } },
    });
    expect((await owner.get(`/v1/graphs/${graphId}/health`)).body.stale_reason).toBe(
      'file_deleted: c.csv from tables VESSEL_CALLS_AT_BERTH',
    );
    expect(await cypher('MATCH ()-[c:VESSEL_CALLS_AT_BERTH]->() RETURN count(*) AS n')).toEqual([{ n: 3 }]);
    expect((await sql('SELECT count(*) FROM VESSEL_CALLS_AT_BERTH')).body.rows).toEqual([[0]]);
    expect((await operation('delete-file', { file_id })).status).toBe(404);
    await expect.poll(() => service.fileStore.info(s3_key)).toBeUndefined();
  });

  it('may be staged and materialized by one request (graphs F-9)', async () => {
    const fileId = await upload('Vessel', 'fourth.csv', 'imo,name\n9300004,Dhow\n');
    const accepted = await operation('ingest-file', { file_id: fileId, ingest_to_graph: true });
    expect([accepted.status, accepted.body.status]).toEqual([200, 'pending']);
    expect((await owner.follow(accepted.body.operationId)).body.status).toBe('completed');
    expect(await cypher("MATCH (v:Vessel {imo: '9300004'}) RETURN v.name AS name")).toEqual([{ name: 'Dhow' }]);
  });

  it('stay staged when the graph cannot be built from them (graphs F-9, M-24)', async () => {
    const fileId = await upload('VESSEL_CALLS_AT_BERTH', 'unknown.csv', 'from,to\n9300004,B99\n');
    const accepted = await operation('ingest-file', { file_id: fileId, ingest_to_graph: true });
    expect((await owner.follow(accepted.body.operationId)).body).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('The graph was not rebuilt.'),
      error_details: { code: 'ROWS_REJECTED' },
    });
    expect((await sql('SELECT count(*) FROM VESSEL_CALLS_AT_BERTH')).body.rows).toEqual([[1]]);
    expect((await operation('delete-file', { file_id: fileId })).status).toBe(200);
  });

  it('are refused on entity graphs and subgraphs (graphs F-1, SG-10)', async () => {
    const entity = await owner.createGraph('Bakery', []);
    const input = { table_name: 'Vessel', file_name: 'v.csv', content_type: 'text/csv' };
    const refused = await operation('create-file-upload', input, owner, entity);
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      expect.stringContaining('Entity graphs do not support file uploads'),
    ]);
    await operation('create-subgraph', { name: 'dev', display_name: 'Dev' });
    expect((await operation('create-file-upload', input, owner, `${graphId}_dev`)).status).toBe(403);
    expect((await owner.get(`/v1/graphs/${graphId}_dev/tables`)).body).toEqual({ tables: [], total_count: 0 });
    const inSub = await owner.post(`/v1/graphs/${graphId}_dev/query/sql`, { sql: 'SELECT * FROM Vessel' });
    expect([inSub.status, inSub.body.detail]).toEqual([400, expect.stringContaining('Query failed')]);
  });

  it.each([
    ['DELETE FROM Vessel', 400],
    ["SELECT * FROM read_text('/etc/passwd')", 400],
    ['SELECT 1; SELECT 2', 400],
    ['SELECT * FROM Crane', 400],
    ['', 422],
  ])('are not changed or left by SQL: %j (graphs SQ-1, SQ-2)', async (statement, status) => {
    expect((await sql(statement)).status).toBe(status);
    expect((await sql(statement, undefined, stranger)).status).toBe(403);
    expect((await sql('SELECT count(*) FROM Vessel')).body.rows).toEqual([[4]]);
  });
});
