import type { Caller, ToolCall } from '@pacioli/core';
import { toolCatalog } from '@pacioli/core';
import graph from '@pacioli/graph';
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
    expect((await call('read-graph-cypher', { query: 'CREATE (n:Entity)' })).isError).toBe(true);
    expect((await call('read-graph-cypher', { query: 'LOAD FROM "/etc/passwd" RETURN *' })).isError).toBe(true);
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
