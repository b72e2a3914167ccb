/** @module-tag engines */
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const harbour = {
  name: 'harbour',
  version: '1.0.0',
  nodes: [
    {
      name: 'Vessel',
      properties: [
        { name: 'imo', type: 'STRING', is_primary_key: true },
        { name: 'name', type: 'STRING', nullable: false },
        { name: 'gross_tonnes', type: 'INT64' },
      ],
    },
    {
      name: 'Berth',
      properties: [
        { name: 'code', type: 'STRING', is_primary_key: true },
        { name: 'depth_m', type: 'DOUBLE' },
      ],
    },
  ],
  relationships: [
    {
      name: 'VESSEL_CALLS_AT_BERTH',
      from_node: 'Vessel',
      to_node: 'Berth',
      properties: [
        { name: 'arrived', type: 'DATE' },
        { name: 'hours', type: 'DOUBLE' },
      ],
    },
  ],
};

describe('a generic graph', () => {
  let service: TestService;
  let owner: TestClient;
  const create = async (schema: unknown, rest: object = {}) => {
    const accepted = await owner.post('/v1/graphs', {
      metadata: { graph_name: 'Harbour Works' },
      custom_schema: schema,
      ...rest,
    });
    return accepted.status === 202 ? owner.follow(accepted.body.operationId) : accepted;
  };

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph] });
    owner = await service.newUser('Ada');
  });
  afterAll(() => service.close());

  it('has the tables of its schema, empty (graphs G-21, SC-50)', async () => {
    const created = await create(harbour);
    expect(created.body).toMatchObject({
      status: 'completed',
      result: { entity: null, metadata: { schema_type: 'custom', schema_extensions: [] } },
    });
    const graphId = created.body.result.graph_id;
    expect((await owner.get('/v1/graphs')).body.graphs[0]).toMatchObject({ graphId, graphType: 'generic' });
    const schema = (await owner.get(`/v1/graphs/${graphId}/schema`)).body.schema;
    expect(schema).toMatchObject({
      node_labels: ['Vessel', 'Berth'],
      relationship_types: ['VESSEL_CALLS_AT_BERTH'],
      node_properties: { Vessel: ['imo', 'name', 'gross_tonnes'] },
    });
    const read = {
      query: 'MATCH (v:Vessel)-[:VESSEL_CALLS_AT_BERTH]->(b:Berth) RETURN v.name AS name, b.code AS code',
    };
    expect((await owner.post(`/v1/graphs/${graphId}/query/cypher?mode=sync`, read)).body).toMatchObject({
      columns: ['name', 'code'],
      row_count: 0,
    });
  });

  it('exports its schema, from which an equal graph is created (graphs SC-51, SC-52)', async () => {
    const graphId = (await create(harbour)).body.result.graph_id;
    const exported = (await owner.get(`/v1/graphs/${graphId}/schema/export?include_data_stats=true`)).body;
    expect(exported).toMatchObject({
      format: 'json',
      schema_definition: { ...harbour, type: 'custom', extensions: [] },
      data_stats: { nodes: { Vessel: 0, Berth: 0 }, total_nodes: 0, total_relationships: 0 },
    });
    const again = (await create(exported.schema_definition)).body.result.graph_id;
    const cypher = async (id: string) =>
      (await owner.get(`/v1/graphs/${id}/schema/export?format=cypher`)).body.schema_definition;
    expect(await cypher(again)).toBe(await cypher(graphId));
    expect(await cypher(graphId)).toMatch(/^CREATE NODE TABLE `Vessel`\(`imo` STRING, .*PRIMARY KEY\(`imo`\)\);\n/);
    const yaml = (await owner.get(`/v1/graphs/${graphId}/schema/export?format=yaml`)).body.schema_definition;
    const checked = await owner.post('/v1/graphs/schema/validate', { schema_definition: yaml, format: 'yaml' });
    expect(checked.body).toMatchObject({ valid: true, stats: { nodes: 2, relationships: 1 } });
    expect((await owner.get(`/v1/graphs/${graphId}/schema/export?format=xml`)).status).toBe(422);
  });

  it('is refused with the first problem of its schema, with an entity or with extensions (graphs G-21, CS-2)', async () => {
    const wrong = { ...harbour, relationships: [{ ...harbour.relationships[0], to_node: 'Pier' }] };
    const refused = await create(wrong);
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain("references unknown to_node 'Pier'");
    const both = await create(harbour, { initial_entity: { name: 'A', uri: 'https://a.example' } });
    expect([both.status, both.body.detail]).toEqual([
      422,
      expect.stringContaining('either initial_entity or custom_schema'),
    ]);
    expect((await create(undefined)).body.detail).toContain('unless custom_schema is given');
    expect((await owner.get('/v1/graphs')).body.graphs).toHaveLength(3);
  });

  it('answers null for a number that is not finite, and 400 for a date without four digits (graphs Q-45)', async () => {
    const id = (await create(harbour)).body.result.graph_id;
    const cypher = (query: string) => owner.post(`/v1/graphs/${id}/query/cypher`, { query });
    const numbers = await cypher('RETURN 1.0 / 0.0 AS up, 0.0 / 0.0 AS none, [-1.0 / 0.0, 0.5] AS list');
    expect([numbers.status, numbers.body.data]).toEqual([200, [{ up: null, none: null, list: [null, 0.5] }]]);
    const day = service.graphStore.driver === 'bolt' ? "duration('P1D')" : "interval('1 day')";
    const date = await cypher(`RETURN date('9999-12-31') + ${day} AS later`);
    expect([date.status, date.body.code, date.body.detail]).toEqual([
      400,
      'INVALID_QUERY',
      expect.stringContaining('outside of the years 1 to 9999: return it as '),
    ]);
  });
});

describe('validating a schema (graphs CS-2, CS-7 to CS-9)', () => {
  let service: TestService;
  let user: TestClient;
  const check = async (definition: unknown, rest: object = {}) =>
    (await user.post('/v1/graphs/schema/validate', { schema_definition: definition, ...rest })).body;

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph] });
    user = await service.newUser('Grace');
  });
  afterAll(() => service.close());

  it('answers 200 with all errors and their places', async () => {
    const answer = await check({ nodes: [{ name: 'Vessel', properties: [{ name: 'a', type: 'TEXT' }] }] });
    expect(answer).toMatchObject({ valid: false, message: expect.stringContaining('Schema is invalid') });
    expect(answer.errors).toEqual([
      expect.stringContaining('/name: '),
      expect.stringContaining("/nodes/0/properties/0/type: Invalid type 'TEXT'"),
      expect.stringContaining('/nodes/0: '),
    ]);
  });

  it('reads text in JSON and YAML, and says where it cannot be parsed', async () => {
    expect((await check(JSON.stringify(harbour))).valid).toBe(true);
    expect((await check('name: x\nnodes: [')).errors[0]).toMatch(/cannot be parsed: .*line 2/s);
    expect((await check('just text')).errors[0]).toContain('Schema must be a dictionary');
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      ...'bcdefghi'.split('').map((to, n) => `${to}: &${to} [${Array(9).fill(`*${'abcdefghi'[n]}`)}]`),
    ];
    expect((await check(bomb.join('\n'))).errors[0]).toContain('cannot be parsed');
  });

  it('compares the schema with extensions and warns of unknown ones', async () => {
    const answer = await check(harbour, { check_compatibility: ['nothing'] });
    expect(answer).toMatchObject({
      valid: true,
      message: 'Schema is valid with 1 warning(s)',
      warnings: [expect.stringContaining("'nothing' is unknown")],
      compatibility: { compatible: true, conflicts: [], checked_extensions: [] },
    });
  });

  it('needs a credential, and a definition', async () => {
    expect((await service.anonymous.post('/v1/graphs/schema/validate', { schema_definition: harbour })).status).toBe(
      401,
    );
    expect((await user.post('/v1/graphs/schema/validate', {})).status).toBe(422);
  });
});
