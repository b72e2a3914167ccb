/** @module-tag engines */
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GraphStoreError } from '@pacioli/core/ports';
import { ladybugGraphStore } from '@pacioli/graph-ladybug';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../src/index.ts';
import { damages } from './damaged-bundles.ts';

// Goal: a graph keeps every row on its way to another engine. Method: two services share a store and the files; the first
// one has its graphs in the embedded engine, the second one in another folder of it, or on graph servers.
const property = (name: string, type: string) => ({ name, type });
const schema = {
  name: 'harbour',
  nodes: [
    {
      name: 'Vessel',
      properties: [
        { name: 'imo', type: 'STRING', is_primary_key: true },
        ...[
          property('name', 'STRING'),
          property('tonnes', 'INT64'),
          property('crew', 'INT8'),
          property('share', 'DOUBLE'),
        ],
        ...[property('listed', 'BOOLEAN'), property('built', 'DATE'), property('seen', 'TIMESTAMP')],
      ],
    },
    { name: 'Berth', properties: [{ name: 'number', type: 'INT64', is_primary_key: true }] },
  ],
  relationships: [
    {
      name: 'CALLS_AT',
      from_node: 'Vessel',
      to_node: 'Berth',
      properties: [property('hours', 'DOUBLE'), property('arrived', 'DATE')],
    },
    { name: 'NEXT_TO', from_node: 'Berth', to_node: 'Berth', properties: [] },
  ],
};
const vessels = [
  'imo,name,tonnes,crew,share,listed,built,seen',
  '1,"Ünï ""\\ 会社, Ltd",9007199254740993,-127,0.1,true,2020-02-29,2026-01-02T03:04:05.123456Z',
  '2,,,,,,,',
  '3,"two\nlines",-9223372036854775807,127,-0.0,false,1900-01-01,1969-12-31T23:59:59Z',
];

describe('a bundle of a graph', () => {
  let folder: string;
  let source: TestService;
  let target: TestService;
  let owner: TestClient;
  let elsewhere: TestClient;
  let graphId: string;
  let bundle: string;
  let allRows: readonly unknown[];
  let exportOutput: readonly string[];
  let importOutput: readonly string[];
  const printed: string[] = [];

  const command = (service: TestService, name: string, options: Readonly<Record<string, unknown>>): Promise<number> => {
    const found = service.service.commands.find((each) => each.name === name);
    if (found === undefined) throw new Error(`There is no command ${name}.`);
    return found.run({ options, print: (line) => printed.push(line) });
  };
  const operation = (name: string, input: object, of = graphId) =>
    owner.post(`/v1/graphs/${of}/operations/${name}`, input);
  const ingest = async (table: string, rows: readonly string[], rest: object = {}) => {
    const type = 'text/csv';
    const input = { table_name: table, file_name: `${table}.csv`, content_type: type };
    const { upload_url, file_id } = (await operation('create-file-upload', input)).body.result;
    await fetch(upload_url, { method: 'PUT', body: `${rows.join('\n')}\n`, headers: { 'content-type': type } });
    return operation('ingest-file', { file_id, ...rest });
  };
  const newGraph = async (definition: object) => {
    const accepted = await owner.post('/v1/graphs', { metadata: { graph_name: 'Harbour' }, custom_schema: definition });
    return (await owner.follow(accepted.body.operationId)).body.result.graph_id as string;
  };
  const query = async (client: TestClient, text: string, of = graphId) => {
    const { body, status } = await client.post(`/v1/graphs/${of}/query/cypher`, { query: text });
    return body.data ?? { status, code: body.code, detail: body.detail };
  };
  /** Every row of every table, with every column. */
  const everything = async (client: TestClient, of = graphId) => [
    await query(
      client,
      `MATCH (v:Vessel) RETURN v.imo AS imo, v.name AS name, v.tonnes AS tonnes, v.crew AS crew, v.share AS share,
        v.listed AS listed, v.built AS built, v.seen AS seen ORDER BY imo`,
      of,
    ),
    await query(client, 'MATCH (b:Berth) RETURN b.number AS number ORDER BY number', of),
    await query(
      client,
      `MATCH (v:Vessel)-[c:CALLS_AT]->(b:Berth) RETURN v.imo AS imo, b.number AS number, c.hours AS hours,
        c.arrived AS arrived ORDER BY imo, number, hours`,
      of,
    ),
    await query(
      client,
      'MATCH (a:Berth)-[:NEXT_TO]->(b:Berth) RETURN a.number AS one, b.number AS other ORDER BY one',
      of,
    ),
  ];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-bundles-'));
    bundle = join(folder, 'bundle');
    source = await startTestService({
      plugins: [graph],
      graphStore: ladybugGraphStore({ folder: join(folder, 'graphs') }),
    });
    const { store, fileStore } = source;
    target = await startTestService({ plugins: [graph], store, fileStore, worker: false });
    owner = await source.newUser('Owner');
    elsewhere = target.anonymous.withHeaders(owner.headers);
    graphId = await newGraph(schema);
    await ingest('Vessel', vessels);
    await ingest('Berth', ['number', ...Array.from({ length: 6_000 }, (_, number) => String(number - 1))]);
    const calls = ['1,7,1.5,2026-03-01', '1,7,2.5,', '3,-1,,2026-03-02'];
    await ingest('CALLS_AT', ['from,to,hours,arrived', ...calls]);
    const built = await ingest('NEXT_TO', ['from,to', '0,1', '1,2', '2,0'], { ingest_to_graph: true });
    expect((await owner.follow(built.body.operationId)).body.status).toBe('completed');
    allRows = await everything(owner);
    await command(source, 'export', { folder: bundle, graph: graphId });
    exportOutput = printed.splice(0);
    await command(target, 'import', { folder: bundle, graph: graphId });
    importOutput = printed.splice(0);
  });
  afterAll(async () => {
    await target.close();
    await source.close();
    await source.graphStore.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('has a schema, a parquet file for each table, and a manifest with counts (graphs P-3)', async () => {
    expect(exportOutput).toEqual([
      ...['Vessel: 3 rows', 'Berth: 6000 rows', 'CALLS_AT: 3 rows', 'NEXT_TO: 3 rows'],
      `Exported 6009 rows in 4 tables to ${bundle}.`,
    ]);
    expect((await readdir(bundle, { recursive: true })).sort()).toEqual([
      ...['manifest.json', 'nodes', 'nodes/Berth.parquet', 'nodes/Vessel.parquet'],
      ...['relationships', 'relationships/CALLS_AT.parquet', 'relationships/NEXT_TO.parquet', 'schema.json'],
    ]);
    for (const name of ['nodes', 'nodes/Vessel.parquet', 'manifest.json', 'schema.json'])
      expect((await stat(join(bundle, name))).mode & 0o077).toBe(0);
    const manifest = JSON.parse(await readFile(join(bundle, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ version: 1, graph_id: graphId, graph_type: 'generic', engine: 'ladybug' });
    // The schema is one that create-graph accepts, and that of the new graph has the same tables.
    const written = JSON.parse(await readFile(join(bundle, 'schema.json'), 'utf8'));
    expect(await newGraph(written)).toMatch(/^kg/);
  });

  it('is imported on another engine with every row (graphs P-3)', async () => {
    expect(allRows[0]).toHaveLength(3);
    expect(importOutput.at(-1)).toMatch(/^Imported 6003 nodes and 6 relationships of 2\d{3}-/);
    expect(await everything(elsewhere)).toEqual(allRows);
    const health = (await elsewhere.get(`/v1/graphs/${graphId}/health`)).body;
    expect(health).toMatchObject({ is_stale: true, stale_reason: 'bundle_imported' });
  });

  it('keeps equal relationships, and what was there before in a backup, also of a subgraph (graphs P-3, SG-10)', async () => {
    // A file has no equal rows, but a subgraph may.
    const created = await elsewhere.post(`/v1/graphs/${graphId}/operations/create-subgraph`, {
      name: 'trial',
      display_name: 'Trial',
    });
    const sub = created.body.result.graph_id;
    await query(elsewhere, "CREATE (v:Vessel {imo: 'v'}), (b:Berth {number: 1})", sub);
    const call = "MATCH (v:Vessel {imo: 'v'}), (b:Berth {number: 1}) CREATE (v)-[:CALLS_AT {hours: 1.0}]->(b)";
    for (let count = 0; count < 2; count += 1) await query(elsewhere, call, sub);
    const path = join(folder, 'trial');
    expect(await command(target, 'export', { folder: path, graph: sub })).toBe(0);
    const before = await everything(elsewhere, sub);
    expect(before[2]).toHaveLength(2);
    await query(elsewhere, "CREATE (v:Vessel {imo: 'later'})", sub);
    printed.splice(0);
    expect(await command(target, 'import', { folder: path, graph: sub })).toBe(0);
    expect(printed.join('\n')).toMatch(/What the graph had before is in the backup bk_\w+, kept for 90 days/);
    expect(await everything(elsewhere, sub)).toEqual(before);
  });

  it.each(damages)('is refused %s, which changes nothing (graphs P-3)', async (name, code, damage) => {
    const path = join(folder, name.replaceAll(' ', '-'));
    await cp(bundle, path, { recursive: true });
    await damage(path);
    const before = await everything(elsewhere);
    const imported = command(target, 'import', { folder: path, graph: graphId, skip_final_backup: true });
    await expect(imported).rejects.toMatchObject({ code });
    expect(await everything(elsewhere)).toEqual(before);
    const { generations } = target.graphStore;
    expect(await generations.call(target.graphStore, graphId)).toHaveLength(1);
  });

  it('is imported although the database before it cannot be removed (graphs P-3)', async () => {
    const other = await newGraph(schema);
    const { graphStore } = target;
    const { drop } = graphStore;
    graphStore.drop = () => Promise.reject(new GraphStoreError('unavailable', 'The disk is busy.'));
    try {
      expect(await command(target, 'import', { folder: bundle, graph: other, skip_final_backup: true })).toBe(0);
    } finally {
      graphStore.drop = drop;
    }
    expect(await everything(elsewhere, other)).toEqual(allRows);
  });

  it('is not written over other files, nor of a graph that is not there (graphs P-3)', async () => {
    const over = command(source, 'export', { folder: bundle, graph: graphId });
    await expect(over).rejects.toMatchObject({ code: 'FOLDER_NOT_EMPTY' });
    const none = command(source, 'export', { folder: join(folder, 'none'), graph: `${graphId}_none` });
    await expect(none).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await readdir(folder)).not.toContain('none');
  });

  it('is refused by a graph with other tables (graphs P-3)', async () => {
    const other = await newGraph({ ...schema, relationships: [] });
    const imported = command(target, 'import', { folder: bundle, graph: other });
    await expect(imported).rejects.toMatchObject({
      code: 'SCHEMA_DIFFERS',
      message: expect.stringContaining('CALLS_AT, NEXT_TO'),
    });
  });

  it('has values of types that only the embedded engine stores, which others refuse (graphs P-3, CS-1)', async () => {
    const types = {
      ...{ price: 'DECIMAL(18,4)', huge: 'INT128', wide: 'UINT64', narrow: 'FLOAT', raw: 'BLOB', code: 'UUID' },
      ...{
        pause: 'INTERVAL',
        tags: 'STRING[]',
        place: 'DOUBLE[2]',
        counts: 'MAP(STRING, INT64)',
        raws: 'BLOB[]',
        scans: 'MAP(STRING, BLOB)',
      },
    };
    const properties = Object.entries(types).map(([name, type]) => ({ name, type }));
    const key = { name: 'id', type: 'STRING', is_primary_key: true };
    const typed = await newGraph({ name: 'typed', nodes: [{ name: 'Thing', properties: [key, ...properties] }] });
    await operation('create-subgraph', { name: 'all', display_name: 'All types' }, typed);
    const sub = `${typed}_all`;
    const made = await query(
      owner,
      `CREATE (:Thing {id: 'a', price: cast('12.5000', 'DECIMAL(18,4)'), huge: cast('170141183460469231731687303715884105727', 'INT128'),
        wide: cast('18446744073709551615', 'UINT64'), narrow: cast(0.1, 'FLOAT'), raw: BLOB('\\\\xAB\\\\x00z'),
        code: UUID('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'), pause: interval('3 days 2 hours 1 second'), tags: ['x, y', 'ü"'], place: cast([0.5, -1.25], 'DOUBLE[2]'),
        counts: map(['n'], [cast(9007199254740993, 'INT64')]),
        raws: [BLOB('\\\\x00hi')], scans: map(['k'], [BLOB('\\\\x00hi')])}), (:Thing {id: 'b'}) RETURN 1 AS done`,
      sub,
    );
    expect(made).toEqual([{ done: 1 }]);
    const rows = (client: TestClient) => query(client, 'MATCH (t:Thing) RETURN t ORDER BY t.id', sub);
    const withoutId = (found: { t: object }[]) => found.map(({ t }) => ({ ...t, _id: null }));
    const before = withoutId(await rows(owner));
    expect(before).toHaveLength(2);
    const path = join(folder, 'typed');
    await command(source, 'export', { folder: path, graph: sub });
    const imported = command(target, 'import', { folder: path, graph: sub, skip_final_backup: true });
    if (target.graphStore.capabilities.types === 'base') {
      await expect(imported).rejects.toMatchObject({ code: 'TYPE_NOT_SUPPORTED' });
      return;
    }
    expect(await imported).toBe(0);
    expect(withoutId(await rows(elsewhere))).toEqual(before);
  });
});
