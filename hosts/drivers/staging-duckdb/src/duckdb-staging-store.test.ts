import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { AnalyticalNode, SqlParameters, StagedRelationship, StagingStore } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duckdbStagingStore } from './duckdb-staging-store.ts';

const text = (name: string, isRequired = false) => ({ name, type: 'STRING', isRequired });
const vessel: AnalyticalNode = {
  kind: 'node',
  name: 'Vessel',
  key: 'imo',
  extension: 'custom',
  columns: [text('imo', true), text('name', true), { name: 'tonnes', type: 'INT64' }],
};
const berth: AnalyticalNode = {
  kind: 'node',
  name: 'Berth',
  key: 'code',
  extension: 'custom',
  columns: [text('code', true), { name: 'depth_m', type: 'DOUBLE' }, { name: 'since', type: 'DATE' }],
};
const calls: StagedRelationship = {
  kind: 'relationship',
  name: 'VESSEL_CALLS_AT_BERTH',
  extension: 'custom',
  from: 'Vessel',
  to: 'Berth',
  fromNode: vessel,
  toNode: berth,
  columns: [text('from', true), text('to', true), { name: 'hours', type: 'DECIMAL(6, 2)' }],
};
const signal = new AbortController().signal;

describe('the staging store on DuckDB', () => {
  const graphId = 'kg00000000000000000001';
  let folder: string;
  let store: StagingStore;
  let files = 0;

  const stage = async (
    table: AnalyticalNode | StagedRelationship,
    content: string,
    format: 'csv' | 'json' = 'csv',
    id?: string,
  ) => {
    files += 1;
    const path = join(folder, `upload-${files}`);
    await writeFile(path, content);
    return store.stage(graphId, table, { id: id ?? `gf_${files}`, format, path, position: files }, signal);
  };
  const ask = (sql: string, parameters: SqlParameters = [], options: object = {}) =>
    store.query(graphId, [vessel, berth, calls, { ...berth, name: 'Depth' }], sql, parameters, {
      timeoutMs: 30_000,
      maxRows: 10_000,
      signal,
      ...options,
    });
  const rows = async (sql: string, parameters: SqlParameters = []) => (await ask(sql, parameters)).rows;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-staging-'));
    store = duckdbStagingStore({ folder: join(folder, 'staging') });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('shows tables without files as empty ones with their columns (graphs T-1)', async () => {
    expect(await ask('SELECT * FROM Vessel')).toEqual({
      columns: ['imo', 'name', 'tonnes', '_file_id'],
      rows: [],
      truncated: false,
    });
  });

  it('casts to the declared types and keeps the later row of a key, over all files (graphs T-6, T-7)', async () => {
    const csv = '\uFEFFimo,name,tonnes\n9300001,Alba,12000\n9300002,"Brig, the ""Old""",\n9300001,Alba II,12500\n';
    expect(await stage(vessel, csv)).toEqual({ rows: 3, tableRows: 2, extraColumns: [], dangling: [] });
    expect(await rows('SELECT imo, name, tonnes FROM Vessel ORDER BY imo')).toEqual([
      ['9300001', 'Alba II', 12500],
      ['9300002', 'Brig, the "Old"', null],
    ]);
    await stage(
      vessel,
      '[{"imo": "9300002", "name": "Corvette", "tonnes": 9007199254740993, "flag": "DK"}]',
      'json',
      'gf_later',
    );
    expect(await rows('SELECT name, tonnes, flag FROM Vessel ORDER BY imo')).toEqual([
      ['Alba II', 12500, null],
      ['Corvette', 9007199254740993n, 'DK'],
    ]);
  });

  it('keeps a value of a union as text, and refuses one that no member takes (graphs T-6)', async () => {
    const depth = (type: string): AnalyticalNode => ({
      ...berth,
      name: 'Depth',
      columns: [text('code', true), { name: 'depth', type }],
    });
    const either = depth('UNION(metres INT64, limits STRUCT(low INT64, high INT64), since DATE)');
    const csv = 'code,depth\nB1,12\nB2,2026-02-28\nB4,\n';
    expect((await stage(either, csv)).rows).toBe(3);
    await expect(stage(either, 'code,depth\nB5,1.5\nB6,deep\nB6,"{""low"": 1}"\n')).rejects.toMatchObject({
      faults: [{ column: 'depth', reason: 'cast', count: 3 }],
    });
    await stage(either, '[{"code": "B7", "depth": 7}, {"code": "B8", "depth": "2026-03-01"}]', 'json');
    expect(await rows('SELECT code, depth FROM Depth ORDER BY code')).toEqual([
      ['B1', '12'],
      ['B2', '2026-02-28'],
      ['B4', null],
      ['B7', '7'],
      ['B8', '2026-03-01'],
    ]);
  });

  it('reads numbers and texts of one JSON column as they are (graphs T-6)', async () => {
    await stage(vessel, '[{"imo": 1, "name": "One"}, {"imo": "x2", "name": 2}]', 'json', 'gf_mixed');
    const mixed = "SELECT imo, name FROM Vessel WHERE imo IN ('1', 'x2') ORDER BY imo";
    expect(await rows(mixed)).toEqual([
      ['1', 'One'],
      ['x2', '2'],
    ]);
    await store.unstage(graphId, vessel, 'gf_mixed');
  });

  it('shows the row of another file again when the later one goes (graphs F-12)', async () => {
    expect(await store.unstage(graphId, vessel, 'gf_later')).toEqual({ removedRows: 1, tableRows: 2 });
    expect(await store.unstage(graphId, vessel, 'gf_later')).toEqual({ removedRows: 0, tableRows: 2 });
    expect(await rows("SELECT name FROM Vessel WHERE imo = '9300002'")).toEqual([['Brig, the "Old"']]);
  });

  it('refuses a file with the column, the count and the first rows, and keeps what was there (graphs T-6)', async () => {
    const wrong = 'imo,name,tonnes\n1,A,many\n2,,5\n,C,6\n4,D,few\n';
    await expect(stage(vessel, wrong)).rejects.toMatchObject({
      code: 'rejected-rows',
      message: expect.stringContaining('tonnes: 2 values of another type'),
      faults: [
        { column: 'imo', reason: 'null', count: 1, examples: [{ row: 3, value: null }] },
        { column: 'name', reason: 'null', count: 1, examples: [{ row: 2, value: null }] },
        {
          column: 'tonnes',
          reason: 'cast',
          count: 2,
          examples: [
            { row: 1, value: 'many' },
            { row: 4, value: 'few' },
          ],
        },
      ],
    });
    await expect(stage(vessel, 'name\nA\n')).rejects.toMatchObject({
      faults: [{ column: 'imo', reason: 'missing-column' }],
    });
    // A whole number may be written with a fraction of zero; another fraction would be lost.
    await expect(stage(vessel, 'imo,name,tonnes\n5,E,1.5\n6,F,12.0\n7,G,1e3\n')).rejects.toMatchObject({
      faults: [{ column: 'tonnes', reason: 'cast', count: 1, examples: [{ row: 1, value: '1.5' }] }],
    });
    await expect(stage(berth, 'code,since\nB1,2026-02-30\n')).rejects.toMatchObject({ code: 'rejected-rows' });
    await expect(stage(vessel, 'PAR1 this is no parquet', 'json')).rejects.toMatchObject({ code: 'unreadable-file' });
    expect(await rows('SELECT count(*) FROM Vessel')).toEqual([[2]]);
  });

  it('names the ends of relationships that are not staged, and removes exact repeats only (graphs T-4, T-7, T-8)', async () => {
    await stage(berth, 'code,depth_m\nB1,9.5\nB2,12.0\n');
    const csv = 'from,to,hours\n9300001,B1,10\n9300001,B1,8.5\n9300001,B1,8.50\n9300002,B9,4\n';
    expect(await stage(calls, csv)).toMatchObject({
      rows: 4,
      tableRows: 3,
      dangling: [{ end: 'to', node: 'Berth', count: 1, examples: ['B9'] }],
    });
    expect(await rows('SELECT src, dst, hours FROM VESSEL_CALLS_AT_BERTH ORDER BY hours')).toEqual([
      ['9300002', 'B9', { valueKind: 'decimal', text: '4.00' }],
      ['9300001', 'B1', { valueKind: 'decimal', text: '8.50' }],
      ['9300001', 'B1', { valueKind: 'decimal', text: '10.00' }],
    ]);
    await stage(berth, 'code,depth_m\nB9,14\n');
    expect(await store.check(graphId, [vessel, berth, calls])).toEqual([
      { name: 'Vessel', rows: 2, dangling: [] },
      { name: 'Berth', rows: 3, dangling: [] },
      { name: 'VESSEL_CALLS_AT_BERTH', rows: 3, dangling: [] },
    ]);
  });

  it('reads parquet, and writes the declared columns for the graph engine (graphs T-4, M-10)', async () => {
    const path = join(folder, 'vessels.parquet');
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`COPY (SELECT 'x1' AS imo, 'Xebec' AS name, 7 AS tonnes, 'no' AS note) TO '${path}'`);
    await store.stage(graphId, vessel, { id: 'gf_p', format: 'parquet', path, position: 99 }, signal);
    const read = async (file: string) => (await connection.runAndReadAll(`SELECT * FROM '${file}'`)).getRowsJson();
    const columns = async (file: string) => (await connection.runAndReadAll(`SELECT * FROM '${file}'`)).columnNames();
    await store.withParquet(graphId, vessel, async (file) => {
      expect(await columns(file)).toEqual(['imo', 'name', 'tonnes']);
      expect(await read(file)).toHaveLength(3);
    });
    await store.withParquet(graphId, calls, async (file) =>
      expect(await columns(file)).toEqual(['from', 'to', 'hours']),
    );
    connection.closeSync();
    instance.closeSync();
  });

  it('takes parameters by place or by name, exactly, and cuts long answers (graphs SQ-3, SQ-4)', async () => {
    expect(await rows('SELECT name FROM Vessel WHERE imo = ? AND tonnes > $2', ['9300001', 5])).toEqual([['Alba II']]);
    expect(await rows('SELECT $big AS big', { big: 9007199254740993n })).toEqual([[9007199254740993n]]);
    await expect(ask('SELECT ?, $name', ['x'])).rejects.toMatchObject({ code: 'parameter' });
    await expect(ask('SELECT $name', ['x'])).rejects.toMatchObject({ code: 'parameter' });
    expect(await ask('FROM range(100)', [], { maxRows: 10 })).toMatchObject({ rows: { length: 10 }, truncated: true });
  });

  it('returns values of every type exactly (graphs SQ-5)', async () => {
    const sql = `SELECT 170141183460469231731687303715884105727 AS huge, 12.50::DECIMAL(9,2) AS price, DATE '2024-02-29' AS day,
      TIMESTAMP '2026-01-02 03:04:05.123456' AS at, INTERVAL '14 months 3 days 04:05:06.5' AS wait, [1, 2] AS list,
      {'a': 1} AS record, MAP {'k': 'v'} AS mapped, 'ab'::BLOB AS bytes, NULL AS nothing, 0.1 + 0.2::DOUBLE AS float`;
    expect((await rows(sql))[0]).toEqual([
      170141183460469231731687303715884105727n,
      { valueKind: 'decimal', text: '12.50' },
      { valueKind: 'date', text: '2024-02-29' },
      { valueKind: 'timestamp', text: '2026-01-02T03:04:05.123456Z' },
      { valueKind: 'duration', text: 'P1Y2M3DT4H5M6.5S' },
      [1, 2],
      { valueKind: 'record', fields: { a: 1 } },
      { valueKind: 'map', entries: [['k', 'v']] },
      Uint8Array.from(Buffer.from('ab')),
      null,
      0.1 + 0.2,
    ]);
  });

  it('stops a statement at its time limit or when the caller leaves, and answers the next (graphs SQ-4)', async () => {
    const endless = 'SELECT count(*) FROM range(100000000) a, range(1000000) b WHERE a.range % 7 = b.range % 11';
    await expect(ask(endless, [], { timeoutMs: 200 })).rejects.toMatchObject({ code: 'timeout' });
    const controller = new AbortController();
    const left = ask(endless, [], { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    expect(await rows('SELECT 1')).toEqual([[1]]);
  });

  it('reads rows of another source, those of named tables only (graphs SQ-8)', async () => {
    const read: string[] = [];
    const source = (name: string) => ({
      name,
      columns: [
        { name: 'id', type: 'STRING' },
        { name: 'cents', type: 'INT64' },
        { name: 'day', type: 'DATE' },
      ],
      async *rows() {
        read.push(name);
        yield [
          { id: 'a', cents: 9007199254740993n, day: '2026-01-31' },
          { id: 'b', cents: 5, day: null },
        ];
      },
    });
    const options = { timeoutMs: 30_000, maxRows: 100, signal };
    const sql = 'SELECT sum(cents) AS cents, max(day) AS day FROM Entry e';
    expect(await store.queryRows(graphId, [source('Entry'), source('Line')], sql, [], options)).toMatchObject({
      rows: [[9007199254740998n, { valueKind: 'date', text: '2026-01-31' }]],
    });
    expect(read).toEqual(['Entry']);
    await expect(
      store.queryRows(graphId, [source('Entry')], "SELECT * FROM read_text('/etc/passwd')", [], options),
    ).rejects.toMatchObject({ code: 'refused' });
  });

  it('sees nothing of another graph, and removes all of one', async () => {
    const other = 'kg00000000000000000002';
    const options = { timeoutMs: 30_000, maxRows: 10, signal };
    expect((await store.query(other, [vessel], 'SELECT * FROM Vessel', [], options)).rows).toEqual([]);
    expect(await store.sizes(graphId)).toEqual([{ graphId, size_bytes: expect.any(Number) }]);
    expect(await store.sizes(other)).toEqual([]);
    await expect(store.query('../x', [], 'SELECT 1', [], options)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each([
    'DESCRIBE Vessel',
    'SHOW TABLES',
    'SUMMARIZE Vessel',
    'EXPLAIN SELECT * FROM Vessel',
    'FROM Vessel',
    "VALUES (1, 'DROP TABLE x; COPY')",
    'WITH v AS (SELECT * FROM Vessel) SELECT * FROM v; ',
    'SELECT \'read_text(\' AS "PRAGMA" -- duckdb_settings()',
  ])('runs %j (graphs SQ-1)', async (statement) => {
    expect((await rows(statement)).length).toBeGreaterThan(0);
  });

  it('leaves nothing of a graph that is dropped', async () => {
    await store.drop(graphId);
    await store.drop(graphId);
    expect(await readdir(join(folder, 'staging'))).toEqual([]);
    expect(await rows('SELECT count(*) FROM Vessel')).toEqual([[0]]);
  });
});
