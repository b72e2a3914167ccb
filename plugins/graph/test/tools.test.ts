import type { Caller, ToolCall, ToolResult } from '@pacioli/core';
import { graphSchemas, toolCatalog } from '@pacioli/core';
import graph, { analyticalGraph } from '@pacioli/graph';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let service: TestService;
let user: TestClient;
let graphId: string;
let subgraphId: string;
let caller: Caller;

beforeAll(async () => {
  service = await startTestService({ plugins: [graph] });
  user = await service.newUser('Ann');
  graphId = await user.createGraph('Books', []);
  caller = { userId: (await user.get('/v1/user')).body.id, email: '', name: 'Ann', credential: 'jwt' };
  const created = await call('create-subgraph', { name: 'scratch', display_name: 'Scratch' });
  expect(created.isError).toBe(false);
  subgraphId = `${graphId}_scratch`;
});
afterAll(() => service.close());

const call = (name: string, given: object = {}, more: Partial<ToolCall> = {}) =>
  service.service.services.resolve(toolCatalog).call({
    caller,
    graphId,
    name,
    arguments: given,
    source: 'mcp',
    signal: new AbortController().signal,
    ...more,
  });
const read = async (name: string, given: object = {}, more: Partial<ToolCall> = {}) =>
  JSON.parse((await call(name, given, more)).text);

describe('the tools that read a graph', () => {
  it('tell what the graph is and how it is built (ai-surface 5.2)', async () => {
    expect(await read('get-graph-info')).toMatchObject({ graph_id: graphId, name: 'Books', role: 'admin' });
    expect(await read('get-graph-schema')).toHaveProperty('node_labels');
    const { queries } = await read('get-example-queries');
    for (const { query } of queries.slice(0, 3))
      expect((await call('read-graph-cypher', { query })).isError).toBe(false);
  });

  it('run one reading statement with a limit of rows, and refuse a write (ai-surface 5.4)', async () => {
    const query = 'UNWIND range(1, $last) AS n RETURN n';
    expect(await read('read-graph-cypher', { query, parameters: { last: 1000 } })).toMatchObject({
      row_count: 1000,
      truncated: false,
    });
    const cut = await call('read-graph-cypher', { query, parameters: { last: 1001 } });
    expect(cut.structured).toMatchObject({
      row_count: 1000,
      truncated: true,
      advice: expect.stringContaining('LIMIT'),
    });
    const refused = await call('read-graph-cypher', { query: 'MATCH (n) detach delete n' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('The statement has DETACH') });
    const long = await read('read-graph-cypher', { query: "UNWIND [repeat('a', 300000)] AS text RETURN text" });
    expect(long).toMatchObject({ row_count: 0, truncated: true, advice: expect.stringContaining('shorter values') });
    expect((await call('read-graph-cypher', { query: 'LOAD FROM "/etc/passwd" RETURN *' })).isError).toBe(true);
  });

  it('wait for their turn under load and tell a stream their place (ai-surface M-13)', async () => {
    const analytical = service.service.services.resolve(analyticalGraph);
    const { signal } = new AbortController();
    const text = 'UNWIND range(1, 100000) AS n RETURN n';
    const options = { timeoutMs: 300_000, maxRows: 100_000, rowsPerChunk: 1, signal };
    const running = await Promise.all(
      Array.from({ length: service.graphStore.maxStatementsPerGraph }, () =>
        analytical.query({ id: graphId, extensions: [] }, { text, parameters: {} }, options),
      ),
    );
    let answered: Promise<ToolResult> | undefined;
    const said: string[] = [];
    const query = 'RETURN 1 AS one';
    const isTold = new Promise<void>((resolve) => {
      const progress = (message: string) => resolve(void said.push(message));
      answered = call('read-graph-cypher', { query }, { isStreamed: true, progress });
    });
    await isTold;
    expect(said).toEqual(['Queued (position 1)']);
    const leaving = new AbortController();
    const gone = call('read-graph-cypher', { query }, { isStreamed: true, signal: leaving.signal });
    leaving.abort();
    expect(await gone).toMatchObject({ code: 'cancelled' });
    await running[0]?.cancel();
    expect((await answered)?.structured).toMatchObject({ rows: [{ one: 1 }] });
    await Promise.all(running.map((stream) => stream.cancel()));
  });

  it('list the subgraphs and find one by its short name, without switching (ai-surface 5.2)', async () => {
    expect(await read('list-subgraphs')).toMatchObject({ subgraphs: [{ graph_id: subgraphId, name: 'scratch' }] });
    expect(await read('resolve-subgraph', { subgraph: 'scratch' })).toMatchObject({
      switched: false,
      target_graph_id: subgraphId,
      credential_reuse: 'guaranteed',
    });
    const back = await read('resolve-subgraph', { subgraph: 'primary' }, { graphId: subgraphId });
    expect(back).toMatchObject({ target_graph_id: graphId, credential_reuse: 'depends_on_key_scope' });
    expect(await read('resolve-subgraph', { subgraph: 'other' })).toMatchObject({ error: 'not_found' });
  });
});

describe('write-graph-cypher', () => {
  it('exists on subgraphs alone (ai-surface 5.3)', async () => {
    expect((await call('write-graph-cypher', { query: 'MATCH (n) DELETE n' })).code).toBe('not_available');
    const written = await call('write-graph-cypher', { query: 'MATCH (n) DETACH DELETE n' }, { graphId: subgraphId });
    expect(written).toMatchObject({ isError: false, operationId: expect.stringMatching(/^op_/) });
  });
});

describe('add-node-table and add-relationship-table', () => {
  const onSub = (name: string, given: object, more: Partial<ToolCall> = {}) =>
    call(name, given, { graphId: subgraphId, ...more });
  const site = {
    name: 'Site',
    properties: [
      { name: 'code', type: 'STRING' },
      { name: 'area', type: 'DOUBLE' },
      { name: 'seen', type: 'TIMESTAMP' },
      { name: 'facts', type: 'JSON' },
    ],
    primary_key: 'code',
  };
  const owner = { name: 'Owner', properties: [{ name: 'code', type: 'STRING' }], primary_key: 'code' };
  const hasSite = { name: 'OWNER_HAS_SITE', from: 'Owner', to: 'Site' };
  const withShare = { ...hasSite, properties: [{ name: 'share', type: 'DOUBLE' }] };
  const schemaOf = async () => read('get-graph-schema', {}, { graphId: subgraphId });

  it('add tables that Cypher writes, once (ai-surface 5.3, graphs SG-14)', async () => {
    expect((await call('add-node-table', site)).code).toBe('not_available');
    const before = await schemaOf();
    expect(JSON.parse((await onSub('add-node-table', site)).text)).toEqual({ name: 'Site', created: true });
    expect(JSON.parse((await onSub('add-node-table', owner)).text).created).toBe(true);
    expect(JSON.parse((await onSub('add-relationship-table', withShare)).text).created).toBe(true);
    const reordered = { ...site, properties: [...site.properties].reverse() };
    expect(JSON.parse((await onSub('add-node-table', reordered)).text)).toEqual({ name: 'Site', created: false });
    expect(JSON.parse((await onSub('add-relationship-table', withShare)).text).created).toBe(false);
    const after = await schemaOf();
    expect(after.node_labels).toEqual([...before.node_labels, 'Site', 'Owner']);
    expect(after.relationship_types).toEqual([...before.relationship_types, 'OWNER_HAS_SITE']);
    const query = `CREATE (:Owner {code: 'o'})-[:OWNER_HAS_SITE {share: 0.5}]->
      (s:Site {code: 's', area: 2.5, facts: '{"a":1}'}) RETURN s.area AS area`;
    expect((await onSub('write-graph-cypher', { query })).structured).toMatchObject({ rows: [{ area: 2.5 }] });
    const { body } = await user.get(`/v1/graphs/${subgraphId}/schema/export`);
    expect(JSON.stringify(body)).toContain('OWNER_HAS_SITE');
    expect((await read('get-graph-schema')).node_labels).not.toContain('Site');
  });

  it.each([
    ['another table of the name', 'add-node-table', { ...site, primary_key: 'seen' }, 'table_exists'],
    ['another relationship of the name', 'add-relationship-table', hasSite, 'table_exists'],
    ['the name in another letter case', 'add-node-table', { ...site, name: 'SITE' }, 'table_exists'],
    ['a name of a relationship', 'add-node-table', { ...site, name: 'OWNER_HAS_SITE' }, 'table_exists'],
    ['a reserved name', 'add-node-table', { ...site, name: 'Session' }, 'invalid_input'],
    ['a name in lower case', 'add-node-table', { ...site, name: 'site2' }, 'invalid_input'],
    ['a name of 65 characters', 'add-node-table', { ...site, name: `S${'x'.repeat(64)}` }, 'invalid_input'],
    ['a key that is no property', 'add-node-table', { ...site, name: 'Other', primary_key: 'id' }, 'invalid_input'],
    [
      'a key of a type without order',
      'add-node-table',
      { ...site, name: 'Other', primary_key: 'area' },
      'invalid_input',
    ],
    [
      'a property that has another type elsewhere',
      'add-node-table',
      { name: 'Other', properties: [{ name: 'area', type: 'STRING' }], primary_key: 'area' },
      'invalid_input',
    ],
    [
      'a reserved property',
      'add-node-table',
      { name: 'Other', properties: [{ name: '_id', type: 'STRING' }], primary_key: '_id' },
      'invalid_input',
    ],
    [
      'an unknown type of property',
      'add-node-table',
      { name: 'Other', properties: [{ name: 'a', type: 'BLOB' }], primary_key: 'a' },
      'invalid_input',
    ],
    ['no property', 'add-node-table', { name: 'Other', properties: [], primary_key: 'a' }, 'invalid_input'],
    [
      '201 properties',
      'add-node-table',
      {
        name: 'Other',
        properties: Array.from({ length: 201 }, (_, n) => ({ name: `p${n}`, type: 'STRING' })),
        primary_key: 'p0',
      },
      'invalid_input',
    ],
    [
      'an end that does not exist',
      'add-relationship-table',
      { ...hasSite, name: 'A_B', to: 'Nothing' },
      'invalid_input',
    ],
  ])('refuse %s and change nothing (graphs SG-14)', async (_case, name, given, code) => {
    const before = await schemaOf();
    expect(await onSub(name, given)).toMatchObject({ isError: true, code });
    expect(await schemaOf()).toEqual(before);
  });

  it('complete what was declared before the database had it, and add the most properties (graphs SG-14)', async () => {
    const schemas = service.service.services.resolve(graphSchemas);
    const properties = Array.from({ length: 200 }, (_, n) => ({ name: `p${n}`, type: 'STRING' }));
    const wide = { name: 'Wide', properties, primary_key: 'p0' };
    // As if the process had died between the two steps.
    await service.store.transaction({ graphId: subgraphId }, async (tx) => {
      const declared = (await schemas.declared(tx, subgraphId)) ?? {};
      const type = {
        name: 'Wide',
        properties: properties.map((each, n) => (n === 0 ? { ...each, is_primary_key: true } : each)),
      };
      const nodes = [...(declared['nodes'] as object[]), type];
      await schemas.redeclare(tx, subgraphId, { ...declared, nodes }, new Date());
    });
    expect((await schemaOf()).node_labels).not.toContain('Wide');
    expect(JSON.parse((await onSub('add-node-table', wide)).text)).toEqual({ name: 'Wide', created: false });
    expect((await schemaOf()).node_labels).toContain('Wide');
  });

  it('keep the tables of concurrent calls, and need a member (graphs SG-14, ai-surface M-33)', async () => {
    const made = await Promise.all(
      ['One', 'Two', 'Three'].map((name) =>
        onSub('add-node-table', { name, properties: [{ name: 'code', type: 'STRING' }], primary_key: 'code' }),
      ),
    );
    expect(made.map(({ isError }) => isError)).toEqual([false, false, false]);
    expect((await schemaOf()).node_labels).toEqual(expect.arrayContaining(['One', 'Two', 'Three']));
    const knowledge = { name: 'facts', display_name: 'Facts', subgraph_type: 'knowledge' };
    expect((await call('create-subgraph', knowledge)).isError).toBe(false);
    const place = { name: 'Place', properties: [{ name: 'identifier', type: 'STRING' }], primary_key: 'identifier' };
    const added = await call('add-node-table', place, { graphId: `${graphId}_facts` });
    expect(added).toMatchObject({ isError: false, operationId: expect.stringMatching(/^op_/) });
    const concept = await call('add-node-table', { ...place, name: 'Concept' }, { graphId: `${graphId}_facts` });
    expect(concept.code).toBe('table_exists');
    const other = await service.newUser('Bob');
    const stranger: Caller = { ...caller, userId: (await other.get('/v1/user')).body.id };
    expect((await onSub('add-node-table', place, { caller: stranger })).code).toBe('forbidden');
  });
});
