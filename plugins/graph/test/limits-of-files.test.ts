import { joinTeam, startTestService, type TestClient, type TestService, teamSettings } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const schema = {
  name: 'harbour',
  nodes: [
    {
      name: 'Berth',
      properties: [
        { name: 'code', type: 'STRING', is_primary_key: true },
        { name: 'name', type: 'STRING' },
      ],
    },
  ],
};

describe('a graph of files', () => {
  let service: TestService;
  let owner: TestClient;
  let graphId: string;

  const operation = (name: string, input: object) => owner.post(`/v1/graphs/${graphId}/operations/${name}`, input);
  const ingest = async (name: string, content: string, rest: object = {}) => {
    const type = name.endsWith('.csv') ? 'text/csv' : 'application/json';
    const input = { table_name: 'Berth', file_name: name, content_type: type };
    const { upload_url, file_id } = (await operation('create-file-upload', input)).body.result;
    await fetch(upload_url, { method: 'PUT', body: content, headers: { 'content-type': type } });
    return operation('ingest-file', { file_id, ...rest });
  };
  const sql = (text: string) => owner.post(`/v1/graphs/${graphId}/query/sql`, { sql: text });
  const tables = async () => (await owner.get(`/v1/graphs/${graphId}/tables`)).body.tables;

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph], settings: teamSettings });
    owner = await service.newUser('Owner');
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    graphId = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
    await ingest('first.csv', 'code,name\n1,A\n');
  });
  afterAll(() => service.close());

  it('takes ten statements of SQL of one user at once, and no more (graphs L-8, SQ-4)', async () => {
    const slow = 'SELECT count(*) FROM range(100000) a, range(2000) b WHERE a.range % 7 = b.range % 11';
    const answers = await Promise.all(Array.from({ length: 11 }, () => sql(slow)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(answers.find(({ status }) => status === 429)?.body.code).toBe('CONCURRENCY_LIMIT');
    expect((await sql('SELECT 1')).status).toBe(200);
  });

  it('gives a member who was removed neither results nor uploads (graphs F-3, platform L-16)', async () => {
    const { client, userId } = await joinTeam(service, owner);
    const path = `/v1/graphs/${graphId}`;
    expect((await owner.post(`${path}/members`, { user_id: userId, role: 'member' })).status).toBeLessThan(300);
    const input = { table_name: 'Berth', file_name: 'late.csv', content_type: 'text/csv' };
    const { upload_url } = (await client.post(`${path}/operations/create-file-upload`, input)).body.result;
    const queued = await client.post(`${path}/query/cypher?mode=async`, { query: 'MATCH (b:Berth) RETURN b' });
    const status = `/v1/operations/${queued.body.operation_id}/status`;
    await expect.poll(async () => (await client.get(status)).body.status).toBe('completed');
    expect((await owner.request('DELETE', `${path}/members/${userId}`)).status).toBeLessThan(300);
    const refused = await client.get(status);
    expect([refused.status, refused.body.detail]).toEqual([403, 'Access denied to graph']);
    const put = await fetch(upload_url, { method: 'PUT', body: 'code\n9\n', headers: { 'content-type': 'text/csv' } });
    expect(put.status).toBe(403);
  });

  it('builds no graph of more rows than the tier allows, also with the file that exceeds them (graphs M-4, M-12)', async () => {
    // Two million rows in short lines: the lowest limit that any tier has.
    const rows = Array.from({ length: 2_000_000 }, (_, number) => `${number},`).join('\n');
    const accepted = await ingest('many.csv', `code,name\n${rows}\n${2e6},\n`, { ingest_to_graph: true });
    const run = (await owner.follow(accepted.body.operationId)).body;
    const rejected = (await operation('materialize', { rebuild: true })).body;
    expect(rejected).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { errors: [expect.stringContaining('2000001')] },
    });
    expect(run).toMatchObject({ status: 'failed', error: rejected.detail, error_details: { code: 'LIMIT_EXCEEDED' } });
    expect((await sql('SELECT count(*) FROM Berth')).body.rows).toEqual([[2_000_001]]);
  });

  it('names the line of a file that cannot be read, and changes nothing (graphs F-7, I-6)', async () => {
    const before = await tables();
    const ragged = await ingest('ragged.csv', '# list of berths\ncode,name\n7,A\n');
    expect([ragged.status, ragged.body.detail]).toEqual([
      400,
      'The file cannot be read as csv. Line 2 has 2 values, but the header, which is the first line, has 1.',
    ]);
    const cut = await ingest('cut.json', '[{"code": "7", "name": "A"},');
    expect([cut.status, cut.body.code, cut.body.detail]).toEqual([
      400,
      'FILE_UNREADABLE',
      expect.stringContaining('it was cut off'),
    ]);
    expect(await tables()).toEqual(before);
  });
});
