import { startTestService, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const schema = {
  name: 'harbour',
  nodes: [
    {
      name: 'Berth',
      properties: [
        { name: 'code', type: 'STRING', is_primary_key: true },
        { name: 'depth', type: 'UNION(metres INT64, since DATE, note STRING)' },
      ],
    },
  ],
};

describe('a column of a union', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph] });
  });
  afterAll(() => service.close());

  it('is filled from files, each value with the first member that it fits (graphs T-6, CS-1)', async () => {
    const owner = await service.newUser('Owner');
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    const graphId = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
    const operation = (name: string, input: object) => owner.post(`/v1/graphs/${graphId}/operations/${name}`, input);
    const input = { table_name: 'Berth', file_name: 'b.json', content_type: 'application/json' };
    const { result } = (await operation('create-file-upload', input)).body;
    const body = JSON.stringify([
      { code: 'B1', depth: 12 },
      { code: 'B2', depth: '2026-02-28' },
      { code: 'B3', depth: 'unknown' },
      { code: 'B4', depth: null },
    ]);
    await fetch(result.upload_url, { method: 'PUT', body, headers: { 'content-type': 'application/json' } });
    expect((await operation('ingest-file', { file_id: result.file_id })).status).toBe(200);
    const built = await operation('materialize', {});
    expect((await owner.follow(built.body.operationId)).body.result).toMatchObject({
      status: 'success',
      total_rows: 4,
    });
    const query = 'MATCH (b:Berth) RETURN b.code AS code, union_tag(b.depth) AS tag, b.depth AS depth ORDER BY code';
    const { data } = (await owner.post(`/v1/graphs/${graphId}/query/cypher`, { query })).body;
    expect(data.map(({ code, tag }: Record<string, unknown>) => [code, tag])).toEqual([
      ['B1', 'metres'],
      ['B2', 'since'],
      ['B3', 'note'],
      ['B4', null],
    ]);
    const values = [12, '2026-02-28', 'unknown', null];
    expect(data.map(({ depth }: Record<string, unknown>) => depth)).toEqual(values);
  });
});
