/**
 * Starts graph servers.
 * @module-tag full-run
 */
import { kernelPlugin, migrationSets, silentLog } from '@pacioli/core/assembly';
import { storedGraphDatabases } from '@pacioli/core/ports';
import { boltGraphStore } from '@pacioli/graph-bolt';
import { reasonToSkip, startBoltServers } from '@pacioli/graph-bolt/testing';
import { openTestStore, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';

const schema = {
  name: 'harbour',
  nodes: [
    {
      name: 'Vessel',
      properties: [
        { name: 'imo', type: 'STRING', is_primary_key: true },
        { name: 'decks', type: 'INT8' },
      ],
    },
  ],
};
const reason = reasonToSkip();

describe.skipIf(reason !== undefined)(`graphs on two servers${reason === undefined ? '' : `: ${reason}`}`, () => {
  let service: TestService;
  let owner: TestClient;
  let id: string;
  let close: () => Promise<void>;

  const cypher = (query: string, graphId = id) => owner.post(`/v1/graphs/${graphId}/query/cypher`, { query });

  beforeAll(async () => {
    const { databases, stop } = await startBoltServers(2);
    const { store: directory, dispose } = await openTestStore();
    await directory.migrate(migrationSets([kernelPlugin]));
    const graphStore = boltGraphStore({ databases, directory: storedGraphDatabases(directory) });
    service = await startTestService({ plugins: [graph], graphStore, log: silentLog });
    close = async () => {
      await service.close();
      await graphStore.close();
      await stop();
      await dispose();
    };
    owner = await service.newUser('Owner');
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: schema });
    id = (await owner.follow(accepted.body.operationId)).body.result.graph_id;
    const made = await owner.post(`/v1/graphs/${id}/operations/create-subgraph`, { name: 'dry', display_name: 'Dry' });
    expect(made.status).toBe(200);
    expect((await cypher('MATCH (v:Vessel) RETURN count(v) AS n')).body.data).toEqual([{ n: 0 }]);
    expect((await cypher('MATCH (v:Vessel) RETURN count(v) AS n', `${id}_dry`)).body.data).toEqual([{ n: 0 }]);
  });
  afterAll(() => close());

  it.each([
    ['WITH 50000000 AS n RETURN size([x IN range(1, n) | toString(x)]) AS s', 'The lists of one expression may have'],
    ['RETURN size([x IN range(1, 1000000) | [y IN range(1, 100) | x]]) AS s', 'The lists of one expression may have'],
    ["RETURN size(reduce(s = 'ab', i IN range(1, 40) | s + s)) AS s", 'reduce() may add its result to itself only'],
    ["RETURN substring('hello', 1, -3) AS s", 'Cannot handle negative start index'],
    [
      'CALL db_version() RETURN *',
      'db_version is not available here. Statements cannot read the version of the graph engine',
    ],
  ])(
    'refuse a statement as one that must be written differently (graphs Q-52, Q-53, E-38): %s',
    async (query, text) => {
      const answer = await cypher(query);
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
        400,
        'INVALID_QUERY',
        expect.stringContaining(text),
      ]);
    },
  );

  it('answer the catalog procedures of the embedded engine, and name columns by their aliases (graphs Q-40, Q-53)', async () => {
    expect((await cypher('CALL show_tables() RETURN *')).body).toMatchObject({
      columns: ['id', 'name', 'type', 'database name', 'comment'],
      data: [{ name: 'Vessel', type: 'NODE' }],
    });
    expect((await cypher('RETURN 1 AS `a``b`')).body).toMatchObject({ columns: ['a`b'], data: [{ 'a`b': 1 }] });
  });

  it('refuse a write beyond the type of a property, and a key that no index takes (graphs E-34)', async () => {
    const decks = await cypher("CREATE (v:Vessel {imo: '1', decks: 300})", `${id}_dry`);
    expect([decks.status, decks.body.detail]).toEqual([
      400,
      'Query error: Nothing was written, because of Vessel 1: decks is 300, and INT8 takes -127 to 127.',
    ]);
    const key = await cypher(`CREATE (v:Vessel {imo: '${'x'.repeat(9_000)}'})`, `${id}_dry`);
    expect([key.status, key.body.detail]).toEqual([400, expect.stringContaining('Vessel.imo is a key')]);
  });

  it('say in the operation that a rebuild found no free database (graphs E-30)', async () => {
    const accepted = await owner.post(`/v1/graphs/${id}/operations/materialize`, { rebuild: true });
    const { status, error } = (await owner.follow(accepted.body.operationId)).body;
    expect([status, error]).toEqual([
      'failed',
      'The graph was not rebuilt. All databases for graphs are in use. Remove a graph or subgraph, or add a database to ' +
        'the settings of the service.',
    ]);
  });
});
