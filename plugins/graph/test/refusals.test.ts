import { sql } from '@pacioli/core';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const clock = fixedClock('2026-03-02T10:00:00Z');
const harbour = {
  name: 'harbour',
  nodes: [{ name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] }],
};

// Goal: each refusal has the code and status of the documents and leaves everything as it was. Method: one generic graph
// with one file and one subgraph.
describe('refused requests on a generic graph', () => {
  let service: TestService;
  let owner: TestClient;
  let graphId: string;

  const operation = (name: string, input: object, of = graphId) =>
    owner.post(`/v1/graphs/${of}/operations/${name}`, input);
  const upload = (input: object, of = graphId) => operation('create-file-upload', input, of);
  const vessels = { table_name: 'Vessel', file_name: 'v.csv', content_type: 'text/csv' };
  const uploaded = async (name: string, imo: string): Promise<string> => {
    const { upload_url, file_id } = (await upload({ ...vessels, file_name: name })).body.result;
    await fetch(upload_url, { method: 'PUT', body: `imo\n${imo}\n`, headers: { 'content-type': 'text/csv' } });
    return file_id;
  };
  const refusal = ({ status, body }: Awaited<ReturnType<typeof operation>>) => [status, body.code];

  const newGraph = async (): Promise<string> => {
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: harbour });
    return (await owner.follow(accepted.body.operationId)).body.result.graph_id;
  };

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph], clock });
    const session = await service.newUser('Owner');
    const { key } = (await session.post('/v1/user/api-keys', { name: 'refusals' })).body;
    owner = service.anonymous.withHeaders({ 'x-api-key': key });
    graphId = await newGraph();
    await operation('create-subgraph', { name: 'trial', display_name: 'Trial' });
  });
  afterAll(() => service.close());

  it.each([
    ['a table that the schema does not have', { ...vessels, table_name: 'Ship' }, 'TABLE_UNKNOWN'],
    ['no table', { ...vessels, table_name: null }, 'TABLE_UNKNOWN'],
    ['a format that cannot be read', { ...vessels, content_type: 'text/html' }, 'FILE_FORMAT_UNKNOWN'],
    ['a name with the end of another format', { ...vessels, file_name: 'v.json' }, 'FILE_NAME_INVALID'],
    ['a name with a path', { ...vessels, file_name: '../v.csv' }, 'FILE_NAME_INVALID'],
    ['a name of 256 characters', { ...vessels, file_name: `${'v'.repeat(252)}.csv` }, 'FILE_NAME_INVALID'],
  ])('rejects an upload with %s (graphs F-1)', async (_what, input, code) => {
    expect(refusal(await upload(input))).toEqual([400, code]);
  });

  it('accepts a file name of 255 characters (graphs F-1)', async () => {
    expect((await upload({ ...vessels, file_name: `${'v'.repeat(251)}.csv` })).status).toBe(200);
  });

  it('rejects files of subgraphs and of entity graphs (graphs F-1, SG-10)', async () => {
    expect(refusal(await upload(vessels, `${graphId}_trial`))).toEqual([403, 'SUBGRAPH_WITHOUT_FILES']);
    const accepted = await owner.post('/v1/graphs', {
      metadata: { graph_name: 'Company' },
      initial_entity: { name: 'Company', uri: 'https://company.example' },
    });
    const entityGraph = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
    expect(refusal(await upload(vessels, entityGraph))).toEqual([400, 'FILES_NOT_SUPPORTED']);
    expect(refusal(await operation('materialize', { source: 'staged' }, entityGraph))).toEqual([
      400,
      'SOURCE_NOT_AVAILABLE',
    ]);
  });

  it('rejects building a subgraph, and a graph from a source that it does not have (graphs M-1)', async () => {
    expect(refusal(await operation('materialize', {}, `${graphId}_trial`))).toEqual([403, 'SUBGRAPH_NOT_MATERIALIZED']);
    expect(refusal(await operation('materialize', { source: 'extensions' }))).toEqual([400, 'SOURCE_NOT_AVAILABLE']);
  });

  it('rejects a build that would copy ingested rows again (graphs M-5)', async () => {
    const first = await operation('ingest-file', {
      file_id: await uploaded('a.csv', '9300001'),
      ingest_to_graph: true,
    });
    await owner.follow(first.body.operationId);
    await operation('ingest-file', { file_id: await uploaded('b.csv', '9300002') });
    expect(refusal(await operation('materialize', {}))).toEqual([409, 'REBUILD_REQUIRED']);
    const count = await owner.post(`/v1/graphs/${graphId}/query/cypher`, {
      query: 'MATCH (v:Vessel) RETURN count(*) AS vessels',
    });
    expect(count.body.data).toEqual([{ vessels: 1 }]);
  });

  it('rejects nested subgraphs, and a name that is in use (graphs SG-1, SG-3)', async () => {
    const create = (of: string) => operation('create-subgraph', { name: 'trial', display_name: 'Trial' }, of);
    expect(refusal(await create(`${graphId}_trial`))).toEqual([400, 'SUBGRAPH_NESTED']);
    expect(refusal(await create(graphId))).toEqual([409, 'SUBGRAPH_NAME_IN_USE']);
    const nested = await operation('delete-subgraph', { subgraph_name: 'trial' }, `${graphId}_trial`);
    expect(refusal(nested)).toEqual([400, 'SUBGRAPH_NESTED']);
  });

  it('rejects subgraphs beyond the limit of the tier (graphs SG-4)', async () => {
    const full = await newGraph();
    const answers = [];
    for (const name of ['one', 'two', 'three', 'four'])
      answers.push(await operation('create-subgraph', { name, display_name: name }, full));
    expect(answers.map(refusal)).toEqual([
      [200, undefined],
      [200, undefined],
      [200, undefined],
      [403, 'SUBGRAPH_LIMIT_REACHED'],
    ]);
  });

  it('deletes a subgraph with content only by force (graphs SG-8)', async () => {
    const written = await owner.post(`/v1/graphs/${graphId}_trial/query/cypher`, {
      query: "CREATE (v:Vessel {imo: '9300009'})",
    });
    expect(written.status).toBe(200);
    expect(refusal(await operation('delete-subgraph', { subgraph_name: 'trial' }))).toEqual([
      409,
      'SUBGRAPH_NOT_EMPTY',
    ]);
    expect((await owner.get(`/v1/graphs/${graphId}_trial/info`)).status).toBe(200);
  });

  it('rejects backups of another format, on a schedule, and beyond the limit of the day (graphs B-1, B-2)', async () => {
    expect(refusal(await operation('create-backup', { backup_format: 'csv' }))).toEqual([400, 'BACKUP_FORMAT_UNKNOWN']);
    expect(refusal(await operation('create-backup', { schedule: 'daily' }))).toEqual([400, 'BACKUP_FORMAT_UNKNOWN']);
    // Those of the day, as the table of backups has them.
    await service.store.transaction({ graphId }, (tx) =>
      tx.query(sql`INSERT INTO graph_backup_entry
        (graph_id, backup_id, of_graph_id, status, initiated_by, file_key, created_at, expires_at)
        SELECT ${graphId}, 'bk_of_today_' || n, ${graphId}, 'completed', 'user', 'backups/none/' || n,
          ${clock.now()}, ${clock.now()}::timestamptz + interval '1 day' FROM generate_series(1, 100) AS n`),
    );
    expect(refusal(await operation('create-backup', {}))).toEqual([429, 'BACKUP_LIMIT_REACHED']);
  });
});
