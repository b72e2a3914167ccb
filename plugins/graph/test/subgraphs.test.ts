/** @module-tag engines */
import { joinTeam, startTestService, type TestClient, type TestService, teamSettings } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const harbour = {
  name: 'harbour',
  nodes: [
    { name: 'Vessel', properties: [{ name: 'imo', type: 'STRING', is_primary_key: true }] },
    {
      name: 'Berth',
      properties: [
        { name: 'code', type: 'STRING', is_primary_key: true },
        { name: 'depth_m', type: 'DOUBLE' },
      ],
    },
  ],
  relationships: [{ name: 'VESSEL_CALLS_AT_BERTH', from_node: 'Vessel', to_node: 'Berth' }],
};

describe('subgraphs', () => {
  let service: TestService;
  let owner: TestClient;
  let member: TestClient;
  let viewer: TestClient;
  let stranger: TestClient;
  let parent: string;

  const create = (client: TestClient, name: string, rest: object = {}, of = parent) =>
    client.post(`/v1/graphs/${of}/operations/create-subgraph`, { name, display_name: `Trial ${name}`, ...rest });
  const cypher = (client: TestClient, graphId: string, query: string, parameters: object = {}) =>
    client.post(`/v1/graphs/${graphId}/query/cypher`, { query, parameters });

  beforeAll(async () => {
    service = await startTestService({ plugins: [graph], settings: teamSettings });
    owner = await service.newUser('Owner');
    stranger = await service.newUser('Stranger');
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: harbour });
    parent = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
    const team = [await joinTeam(service, owner), await joinTeam(service, owner)];
    for (const [index, role] of ['member', 'viewer'].entries()) {
      await owner.post(`/v1/graphs/${parent}/members`, { user_id: team[index]?.userId, role });
    }
    [member, viewer] = team.map(({ client }) => client) as [TestClient, TestClient]; // Two, as joined above.
  });
  afterAll(() => service.close());

  it('are created by members, with the types of the parent and an id in lower case (graphs SG-1 to SG-5)', async () => {
    const made = await create(member, 'Dry26', { description: 'Dry dock', metadata: { why: 'trial' } });
    expect(made).toMatchObject({
      status: 200,
      body: {
        status: 'completed',
        result: {
          graph_id: `${parent}_dry26`,
          parent_graph_id: parent,
          subgraph_index: 1,
          subgraph_name: 'dry26',
          subgraph_type: 'static',
          status: 'active',
          node_count: null,
          metadata: { why: 'trial' },
        },
      },
    });
    const schema = (await viewer.get(`/v1/graphs/${parent}_dry26/schema`)).body.schema;
    expect([schema.node_labels, schema.relationship_types]).toEqual([['Vessel', 'Berth'], ['VESSEL_CALLS_AT_BERTH']]);
    expect((await viewer.get('/v1/graphs')).body.graphs.map((each: { graphId: string }) => each.graphId)).toEqual([
      parent,
      `${parent}_dry26`,
    ]);
  });

  it('are written by members in single transactions and read by viewers; the parent stays as it was (graphs SG-10, Q-17)', async () => {
    const sub = `${parent}_dry26`;
    const made = await cypher(member, sub, 'CREATE (b:Berth {code: $code, depth_m: 9.5}) RETURN b.code AS code', {
      code: 'B1',
    });
    expect(made).toMatchObject({ status: 200, body: { data: [{ code: 'B1' }], row_count: 1 } });
    const deeper = "MATCH (b:Berth {code: 'B1'}) SET b.depth_m = 11.0 RETURN b.depth_m AS d";
    expect((await cypher(member, sub, deeper)).body.data).toEqual([{ d: 11 }]);
    const merged =
      "MERGE (b:Berth {code: 'B1'}) ON CREATE SET b.depth_m = 1.0 ON MATCH SET b.depth_m = 12.0 RETURN b.depth_m AS d";
    expect((await cypher(member, sub, merged)).body.data).toEqual([{ d: 12 }]);
    const count = 'MATCH (b:Berth) RETURN count(*) AS berths';
    expect((await cypher(viewer, sub, count)).body.data).toEqual([{ berths: 1 }]);
    expect((await cypher(member, parent, count)).body.data).toEqual([{ berths: 0 }]);
    const refusals = [
      await cypher(viewer, sub, deeper),
      await cypher(member, parent, deeper),
      await cypher(stranger, sub, count),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(refusals[0]?.body.detail).toContain("'member' or 'admin' role");
    expect(refusals[1]?.body.detail).toContain('try it in a subgraph');
  });

  it.each([
    ['ALTER TABLE Berth ADD note STRING', 403],
    ['CREATE NODE TABLE Crane(id STRING, PRIMARY KEY(id))', 403],
    ['CREATE MACRO twice(x) AS x + x', 403],
    ['CREATE OR REPLACE MACRO twice(x) AS x + x', 403],
    ['CREATE SEQUENCE numbers', 403],
    ['CREATE TYPE code AS STRING', 403],
    ['DROP TABLE Berth', 403],
    ['DETACH DATABASE other', 403],
    ["ATTACH '/tmp/other.lbug' AS other", 403],
    ["COPY Berth FROM '/etc/hosts'", 400],
    ["LOAD FROM '/etc/hosts' RETURN *", 400],
    ['CALL threads=1', 403],
    ['MATCH (b:Berth) DELETE b; MATCH (v:Vessel) DELETE v', 400],
    ['BEGIN TRANSACTION', 403],
  ])(
    'refuse to change their schema, the engine or files: %s (graphs SG-10, Q-10 to Q-18)',
    async (statement, status) => {
      expect((await cypher(member, `${parent}_dry26`, statement)).status).toBe(status);
      expect((await cypher(member, `${parent}_dry26`, 'MATCH (b:Berth) RETURN count(*) AS n')).body.data).toEqual([
        { n: 1 },
      ]);
    },
  );

  it.each(['?mode=stream', '?mode=auto'])('answer a write with JSON, also with %s (graphs Q-21)', async (mode) => {
    const query = "MATCH (b:Berth {code: 'B1'}) SET b.depth_m = 12.0 RETURN b.depth_m AS d";
    const path = `/v1/graphs/${parent}_dry26/query/cypher${mode}`;
    const answer = await member.post(path, { query }, { Accept: 'application/x-ndjson', Prefer: 'stream' });
    expect([answer.headers.get('content-type'), answer.body.data]).toEqual([
      expect.stringContaining('application/json'),
      [{ d: 12 }],
    ]);
  });

  it('refuse to read settings, which name paths of the host (graphs I-6)', async () => {
    const setting = "CALL current_setting('file_search_path') RETURN *";
    for (const id of [parent, `${parent}_dry26`]) expect((await cypher(owner, id, setting)).status).toBe(403);
  });

  it('name no internal variable of the engine when a procedure gets a parameter (graphs E-2)', async () => {
    const { status, body } = await cypher(viewer, parent, 'CALL table_info($t) RETURN *', { t: 'Berth' });
    expect([status, body.detail]).toEqual([400, expect.stringContaining('value instead of a parameter')]);
    expect(body.detail).not.toContain('_0_');
  });

  it('serialize simultaneous writes, and undo a statement that fails (graphs C-1, Q-21)', async () => {
    const sub = `${parent}_dry26`;
    const ids = Array.from({ length: 12 }, (_, index) => `V${index}`);
    // Of two users, because one may have at most ten statements at once.
    const made = await Promise.all(
      ids.map((imo, index) => cypher(index % 2 === 0 ? member : owner, sub, 'CREATE (:Vessel {imo: $imo})', { imo })),
    );
    expect(made.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const again = await cypher(member, sub, "CREATE (:Vessel {imo: 'V99'}) CREATE (:Vessel {imo: 'V0'})");
    expect(again.status).toBe(400);
    expect((await cypher(member, sub, 'MATCH (v:Vessel) RETURN count(*) AS n')).body.data).toEqual([{ n: 12 }]);
  });

  it('copy the parent as it was last materialized, or chosen tables of it (graphs SG-5, SG-7)', async () => {
    const accepted = await create(member, 'fork', {
      fork_parent: true,
      metadata: { fork_options: { tables: ['Berth'] } },
    });
    expect([accepted.status, accepted.body.status]).toEqual([200, 'pending']);
    const ended = await member.follow(accepted.body.operationId);
    expect(ended.body).toMatchObject({
      status: 'completed',
      result: { graph_id: `${parent}_fork`, node_count: 0, edge_count: 0 },
    });
    const schema = (await member.get(`/v1/graphs/${parent}_fork/schema`)).body.schema;
    expect([schema.node_labels, schema.relationship_types]).toEqual([['Berth'], []]);
    const open = await create(member, 'open', {
      fork_parent: true,
      metadata: { fork_options: { tables: ['VESSEL_CALLS_AT_BERTH', 'Berth'] } },
    });
    expect([open.status, open.body.detail]).toEqual([422, expect.stringContaining('without both its ends')]);
  });

  it('are listed the newest first and found by name, with sizes and counts (graphs SG-12)', async () => {
    const list = (await viewer.get(`/v1/graphs/${parent}/subgraphs`)).body;
    expect(list).toMatchObject({
      parent_graph_id: parent,
      subgraphs_enabled: true,
      subgraph_count: 2,
      max_subgraphs: 3,
      subgraphs: [
        { subgraph_name: 'fork', last_accessed: null },
        { subgraph_name: 'dry26', last_accessed: expect.any(String) },
      ],
    });
    const [fork, dry] = list.subgraphs;
    if (service.graphStore.capabilities.reportsSizes) {
      expect(dry.size_bytes).toBeGreaterThan(0);
      expect(list.total_size_bytes).toBe(fork.size_bytes + dry.size_bytes);
    } else expect([dry.size_bytes, list.total_size_bytes]).toEqual([null, null]);
    const info = (await viewer.get(`/v1/graphs/${parent}/subgraphs/DRY26`)).body;
    expect(info).toMatchObject({ subgraph_name: 'dry26', node_count: 13, edge_count: 0 });
    expect(Date.parse(info.last_accessed)).toBeGreaterThanOrEqual(Date.parse(list.subgraphs[1].created_at));
    expect(info.last_accessed).toBe(list.subgraphs[1].last_accessed);
    await cypher(viewer, `${parent}_dry26`, 'MATCH (b:Berth) RETURN count(*) AS n');
    const later = (await viewer.get(`/v1/graphs/${parent}/subgraphs/dry26`)).body;
    expect(Date.parse(later.last_accessed)).toBeGreaterThan(Date.parse(info.last_accessed));
    expect((await viewer.get(`/v1/graphs/${parent}/subgraphs/none`)).status).toBe(404);
    expect((await viewer.get(`/v1/graphs/${parent}_dry26/subgraphs`)).status).toBe(422);
    expect((await stranger.get(`/v1/graphs/${parent}/subgraphs`)).status).toBe(403);
  });

  it('may be empty, or have the types of knowledge, up to the limit of the tier (graphs SG-1, SG-4)', async () => {
    const refusedFork = await create(member, 'k', { subgraph_type: 'knowledge', fork_parent: true });
    expect([refusedFork.status, refusedFork.body.detail]).toEqual([422, expect.stringContaining('cannot be a copy')]);
    const made = await create(member, 'k', { subgraph_type: 'knowledge' });
    expect(made.body.result.subgraph_index).toBe(3);
    const schema = (await member.get(`/v1/graphs/${parent}_k/schema`)).body.schema;
    expect(schema.node_labels).toEqual(['Concept', 'Observation', 'Session']);
    const learned = "CREATE (c:Concept {identifier: 'c1', name: 'Draft', access_count: 1}) RETURN c.access_count AS n";
    expect((await cypher(member, `${parent}_k`, learned)).body.data).toEqual([{ n: 1 }]);
    const full = await create(member, 'one-more'.replace('-', ''), { subgraph_type: 'empty' });
    expect([full.status, full.body.detail]).toEqual([403, expect.stringContaining('Current: 3, Maximum: 3')]);
  });

  it('are refused with the reason and nothing is created (graphs SG-1)', async () => {
    const refused = async (answer: Promise<{ status: number; body: { detail: string } }>) => {
      const { status, body } = await answer;
      return [status, body.detail];
    };
    expect(await refused(create(viewer, 'x'))).toEqual([403, expect.stringContaining('member role')]);
    expect(await refused(create(stranger, 'x'))).toEqual([403, 'Access denied to graph']);
    expect(await refused(create(member, 'bad name'))).toEqual([422, expect.stringContaining('letters and digits')]);
    expect(await refused(create(member, 'x', { schema_extensions: ['ledger'] }))).toEqual([
      422,
      expect.stringContaining('extensions of the parent'),
    ]);
    expect(await refused(create(member, 'x', {}, `${parent}_dry26`))).toEqual([400, 'Subgraphs cannot be nested.']);
    expect((await viewer.get(`/v1/graphs/${parent}/subgraphs`)).body.subgraph_count).toBe(3);
  });

  it('refuse a name that is in use and suggest another one (graphs G-3, SG-1)', async () => {
    const other = await owner.createGraph('Bakery', []);
    expect((await create(owner, 'dev', {}, other)).status).toBe(200);
    const again = await create(owner, 'Dev', {}, other);
    expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining("such as 'dev2'")]);
  });

  it('have keys that reach no operation of the parent or of another subgraph (platform K-3, L-16)', async () => {
    const books = await owner.createGraph('Keyed', []);
    for (const name of ['keyed', 'beside']) expect((await create(owner, name, {}, books)).status).toBe(200);
    const { body } = await owner.post('/v1/user/api-keys', { name: 'trial', graph_id: `${books}_keyed` });
    const keyed = service.anonymous.withHeaders({ 'x-api-key': body.key });
    const started = async (graphId: string): Promise<string> =>
      (await owner.post(`/v1/graphs/${graphId}/query/cypher?mode=async`, { query: 'RETURN 1 AS one' })).body.query_id;
    const [own, ...others] = await Promise.all([`${books}_keyed`, books, `${books}_beside`].map(started));
    expect((await keyed.get(`/v1/operations/${own}/status`)).status).toBe(200);
    for (const id of others) {
      const refused = [
        await keyed.get(`/v1/operations/${id}/status`),
        await keyed.get(`/v1/operations/${id}/stream`),
        await keyed.post(`/v1/operations/${id}/resume`, { input: {} }),
        await keyed.request('DELETE', `/v1/operations/${id}`),
      ];
      expect(refused.map(({ status, body: { code } }) => [status, code])).toEqual(
        refused.map(() => [403, 'KEY_SCOPE']),
      );
      expect((await owner.follow(id ?? '')).body.status).toBe('completed');
    }
  });
});
