import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { AnalyticalNode, StagedRelationship, StagedTable, StagingStore } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duckdbStagingStore } from './duckdb-staging-store.ts';

const graphId = 'kg00000000000000000001';
const signal = new AbortController().signal;
const node = (name: string, columns: AnalyticalNode['columns'] = []): AnalyticalNode => ({
  kind: 'node',
  name,
  key: 'imo',
  extension: 'custom',
  columns: [{ name: 'imo', type: 'STRING', isRequired: true }, ...columns],
});
const vessel = node('Vessel', [{ name: 'name', type: 'STRING' }]);
const valued = (type: string) => node(`V_${type.replaceAll(/\W/g, '_')}`, [{ name: 'v', type }]);

describe('the content of an upload', () => {
  let folder: string;
  let store: StagingStore;
  let files = 0;

  const stage = async (
    table: StagedTable,
    content: string | Uint8Array,
    format: 'csv' | 'json' | 'parquet' = 'csv',
  ) => {
    files += 1;
    const path = join(folder, `upload-${files}`);
    await writeFile(path, content);
    return store.stage(graphId, table, { id: `gf_${files}`, format, path, position: files }, signal);
  };
  const rows = async (table: StagedTable, sql: string) =>
    (await store.query(graphId, [table], sql, [], { timeoutMs: 60_000, maxRows: 100, signal })).rows;
  /** The refusals of a file that says nothing about the host or the options of the engine. */
  const refusal = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => undefined,
      (problem: { code: string; message: string }) => problem,
    );
    expect(error?.code).toBe('unreadable-file');
    expect(error?.message).not.toMatch(/upload-|read_|strict_mode|null_padding|ignore_errors|[/\\]tmp/);
    expect(error?.message.length).toBeLessThan(400);
    return error?.message ?? '';
  };
  const refusedValues = (work: Promise<unknown>) =>
    work.then(
      () => [],
      ({ faults }) => faults[0]?.examples.map((example: { value: string }) => example.value),
    );
  const written = async (select: string): Promise<string> => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    files += 1;
    const path = join(folder, `written-${files}`);
    await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`);
    connection.closeSync();
    instance.closeSync();
    return path;
  };
  const stageParquet = async (table: StagedTable, select: string) => {
    const path = await written(select);
    return store.stage(graphId, table, { id: `gf_${files}`, format: 'parquet', path, position: files }, signal);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-uploads-'));
    store = duckdbStagingStore({ folder: join(folder, 'staging') });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is refused when a JSON array was cut off, and nothing changes (graphs F-5, F-7)', async () => {
    const records = Array.from({ length: 2_000 }, (_, index) => JSON.stringify({ imo: String(index), name: 'x' }));
    await stage(vessel, '[{"imo": "1", "name": "One"}]', 'json');
    for (const cut of [
      '[{"imo":"23","name":"x"},',
      '[{"imo":"23","name":"x"}, \n ',
      '[',
      `[${records.slice(0, 1_000).join(',\n')},`,
      `[${records.slice(0, 1_000).join(',\n')}`,
      `\uFEFF[${records.slice(0, 1_000).join(',')},`,
    ])
      expect(await refusal(stage(vessel, cut, 'json'))).toContain('it was cut off');
    for (const wrong of ['[{"imo":"23","name":', '{"imo":"23"}\n{"imo":', '[{"imo":"23"}] x', 'PAR1'])
      expect(await refusal(stage(vessel, wrong, 'json'))).toMatch(/^The file cannot be read as json\. /);
    expect(await rows(vessel, 'SELECT imo FROM Vessel')).toEqual([['1']]);
    expect((await stage(vessel, ` [${records.join(',')}]\n\n`, 'json')).rows).toBe(2_000);
    expect((await stage(vessel, `${records.join('\n')}\n`, 'json')).rows).toBe(2_000);
  });

  it('has instants with a zone, which become those of UTC, in every format (graphs T-6, Q-45)', async () => {
    const table = valued('TIMESTAMP');
    const texts = [
      ['2026-03-29T02:30:00+02:00', '2026-03-29T00:30:00Z'],
      ['2026-03-29 02:30:00-05', '2026-03-29T07:30:00Z'],
      ['2026-03-29 02:30:00.123456+0530', '2026-03-28T21:00:00.123456Z'],
      ['2026-03-29T02:30:00Z', '2026-03-29T02:30:00Z'],
      ['2026-03-29 02:30:00', '2026-03-29T02:30:00Z'],
      ['2026-03-29', '2026-03-29T00:00:00Z'],
    ];
    const expected = texts.map(([, text]) => [{ valueKind: 'timestamp', text }]);
    const staged = (id: string) => rows(table, `SELECT v FROM ${table.name} WHERE imo LIKE '${id}%' ORDER BY imo`);
    await stage(table, `imo,v\n${texts.map(([text], index) => `c${index},${text}`).join('\n')}\n`);
    expect(await staged('c')).toEqual(expected);
    await stage(table, JSON.stringify(texts.map(([v], index) => ({ imo: `j${index}`, v }))), 'json');
    expect(await staged('j')).toEqual(expected);
    await stageParquet(table, `SELECT 'p1' AS imo, TIMESTAMPTZ '2026-03-29T02:30:00+02:00' AS v`);
    expect(await staged('p')).toEqual([[{ valueKind: 'timestamp', text: '2026-03-29T00:30:00Z' }]]);
    const wrong = ['tomorrow', '2026-03-29 25:00:00', '2026-03-29T02:30:00 Europe/Berlin', 'infinity', 'epoch'];
    const csv = `imo,v\n1,2026-03-29 02:30:00\n${wrong.map((text) => `x,${text}`).join('\n')}\n`;
    expect(await refusedValues(stage(table, csv))).toEqual(wrong);
    const precise = 'imo,v\n1,2026-03-29 02:30:00.1234567Z\n';
    expect(await refusedValues(stage(table, precise))).toEqual(['2026-03-29 02:30:00.1234567Z']);
  });

  it('is refused when values do not fit their types unchanged, of each type (graphs T-6)', async () => {
    const types = [
      {
        type: 'INT64',
        fitting: ['7', '-7', '12.0', '1e3', '9223372036854775807', '-9223372036854775807'],
        wrong: ['1.50', '0x10', '1_000', '1e-1', '-9223372036854775808', '9007199254740993.5'],
      },
      { type: 'INT8', fitting: ['127', '-127'], wrong: ['-128', '128'] },
      { type: 'INT16', fitting: ['-32767'], wrong: ['-32768', '-32768.0'] },
      { type: 'INT32', fitting: ['-2147483647'], wrong: ['-2147483648', '-2.147483648e9'] },
      {
        type: 'INT128',
        fitting: ['-170141183460469231731687303715884105727'],
        wrong: ['-170141183460469231731687303715884105728'],
      },
      {
        type: 'DECIMAL(18, 4)',
        fitting: ['1.2345', '1.234500', '.5', '-3', '1e3', '1.5e-1'],
        wrong: ['1.23456789', '1.23455', '1e-5', '0x1F', '1_0.5'],
      },
      {
        type: 'DOUBLE',
        fitting: ['1.5', '-.5', '1e300'],
        wrong: ['1_0.5', '0x1F', 'five', 'NaN', 'inf', '-Infinity', '1e309'],
      },
      { type: 'FLOAT', fitting: ['1.5', '3e38'], wrong: ['NaN', '3e39'] },
      {
        type: 'DATE',
        fitting: ['2026-01-01', '2026-01-01 00:00:00', '2026-01-01T00:00'],
        wrong: ['2026-01-01 23:30:00', '2026-01-01T23:30:00Z', '2026-02-30', 'infinity', '0000-12-31', '12345-01-01'],
      },
      {
        type: 'INTERVAL',
        fitting: ['1 day', '2 hours', '1 month 3.5 seconds'],
        wrong: ['-1 day', '1 month -3 days', '0.000001 seconds'],
      },
    ].map((each, index) => ({ ...each, name: `v${index}` }));
    const table = node('Typed', types);
    /** The n-th value of each type in the n-th row. */
    const rowsOf = (values: readonly (readonly string[])[]) =>
      Array.from({ length: Math.max(...values.map(({ length }) => length)) }, (_, row) =>
        Object.fromEntries([['imo', `x${row}`], ...values.map((each, index) => [`v${index}`, each[row]] as const)]),
      );
    const csv = (values: readonly (readonly string[])[]) =>
      [
        ['imo', ...types.map(({ name }) => name)],
        ...rowsOf(values).map((row) => ['imo', ...types.map(({ name }) => name)].map((name) => row[name] ?? '')),
      ]
        .map((line) => `${line.join(',')}\n`)
        .join('');
    expect((await stage(table, csv(types.map(({ fitting }) => fitting)))).rows).toBe(6);
    // A refusal has five examples at most of each column.
    for (const [from, to] of [
      [0, 5],
      [5, 10],
    ]) {
      const some = types.map(({ name, wrong }) => ({ column: name, wrong: wrong.slice(from, to) }));
      await expect(stage(table, csv(some.map(({ wrong }) => wrong)))).rejects.toMatchObject({
        faults: some
          .filter(({ wrong }) => wrong.length > 0)
          .map(({ column, wrong }) => ({ column, reason: 'cast', examples: wrong.map((value) => ({ value })) })),
      });
    }
    const json = JSON.stringify(rowsOf(types.map(({ wrong }) => wrong)));
    await expect(stage(table, json, 'json')).rejects.toMatchObject({
      faults: types.map(({ name, wrong }) => ({ column: name, reason: 'cast', count: wrong.length })),
    });
  });

  it('of parquet is refused when values do not fit their columns unchanged (graphs T-6)', async () => {
    const cases = [
      ['STRING', "'caf\\xC3\\xA9'::BLOB", "'caf\\xE9'::BLOB"],
      ['INT64', '7.00::DECIMAL(9, 2)', '1.50::DECIMAL(9, 2)'],
      ['INT64', '7::DOUBLE', '7.5::DOUBLE'],
      ['INT8', "'-127'::TINYINT", "'-128'::TINYINT"],
      ['INT64', '7::HUGEINT', "'-9223372036854775808'::BIGINT"],
      ['DECIMAL(18, 4)', '1.25::DOUBLE', '1.23456789::DOUBLE'],
      ['DOUBLE', '1.25::DOUBLE', "'NaN'::DOUBLE"],
      ['FLOAT', '0.1::DOUBLE', '1e300::DOUBLE'],
      ['DATE', "TIMESTAMP '2026-01-01 00:00:00'", "TIMESTAMP '2026-01-01 23:30:00'"],
      ['DATE', "DATE '0001-01-01'", "DATE '0044-03-15 (BC)'"],
      ['DATE', "DATE '9999-12-31'", "DATE 'infinity'"],
      ['TIMESTAMP', "TIMESTAMP '9999-12-31 23:59:59.999999'", "TIMESTAMP '10000-01-01 00:00:00'"],
      ['TIMESTAMP', "TIMESTAMPTZ '0001-01-01 00:00:00+00'", "TIMESTAMPTZ '0001-01-01 00:00:00+05'"],
      ['TIMESTAMP', "TIMESTAMP_NS '2026-01-01 00:00:00.000001'", "TIMESTAMP_NS '2026-01-01 00:00:00.000000001'"],
    ].map(([type = '', fitting = '', wrong = ''], index) => ({ name: `v${index}`, type, fitting, wrong }));
    const table = node('Wide', cases);
    const selected = (values: readonly string[]) =>
      `SELECT 'p' AS imo, ${values.map((value, index) => `${value} AS v${index}`).join(', ')}`;
    expect((await stageParquet(table, selected(cases.map(({ fitting }) => fitting)))).rows).toBe(1);
    await expect(stageParquet(table, selected(cases.map(({ wrong }) => wrong)))).rejects.toMatchObject({
      faults: cases.map(({ name }) => ({ column: name, reason: 'cast', count: 1, examples: [{ row: 1 }] })),
    });
  });

  it('is refused when a value in a list does not fit, in every format (graphs T-6)', async () => {
    const table = valued('INT64[]');
    for (const [format, given] of [
      ['json', '[{"imo":"1","v":[1]},{"imo":"2","v":[1.5]}]'],
      ['csv', 'imo,v\n1,[1]\n2,[1.5]\n'],
    ] as const)
      await expect(stage(table, given, format)).rejects.toMatchObject({
        faults: [{ column: 'v', reason: 'cast', count: 1, examples: [{ row: 2, value: '[1.5]' }] }],
      });
    await expect(stageParquet(table, "SELECT 'p' AS imo, [1.5::DOUBLE] AS v")).rejects.toMatchObject({
      faults: [{ column: 'v', reason: 'cast', count: 1, examples: [{ row: 1, value: '[1.5]' }] }],
    });
  });

  it('says which numbers are not finite, as numbers of JSON are (graphs T-6)', async () => {
    const found = async (type: string, csv: string) =>
      stage(valued(type), `imo,v\n1,\n2,${csv}\n`).then(
        () => '',
        ({ message }) => message,
      );
    expect(await found('DOUBLE', 'NaN')).toBe(
      'V_DOUBLE: v: 1 value that is not a finite number (first in row 2: NaN).',
    );
    expect(await found('DOUBLE[]', '[1e309]')).toContain(
      'v: 1 value of another type, or with a number that is not a finite number (first in row 2: [1e309])',
    );
    await expect(stage(valued('DOUBLE'), '[{"imo":"1","v":NaN}]', 'json')).rejects.toMatchObject({
      faults: [{ column: 'v', examples: [{ row: 1, value: 'NaN' }] }],
    });
  });

  it('may have columns with the names of others inside, and tables too (graphs T-5, CS-2)', async () => {
    const internal = ['file_id', 'file_row', 'file_position', 'incoming'];
    const declared = node(
      'incoming',
      [...internal, 'row'].map((name) => ({ name, type: 'STRING' })),
    );
    for (const imo of ['1', '2', '2'])
      await stage(declared, `imo,${internal.join(',')},src,note\n${imo},a,b,c,d,e,f\n`);
    expect(await rows(declared, 'SELECT imo, file_id, file_row, src FROM incoming ORDER BY imo')).toEqual([
      ['1', 'a', 'b', 'e'],
      ['2', 'a', 'b', 'e'],
    ]);
    expect(await rows(declared, "SELECT DISTINCT _file_id LIKE 'gf_%' FROM incoming")).toEqual([[true]]);
    expect(await refusal(stage(declared, 'imo,_file_row\n1,1\n'))).toContain('_file_row is reserved');
  });

  it('is refused when it names the end of a relationship twice (graphs T-4)', async () => {
    const calls: StagedRelationship = {
      kind: 'relationship',
      name: 'CALLS',
      extension: 'custom',
      from: 'Vessel',
      to: 'Vessel',
      fromNode: vessel,
      toNode: vessel,
      columns: [
        { name: 'from', type: 'STRING', isRequired: true },
        { name: 'to', type: 'STRING', isRequired: true },
      ],
    };
    expect(await refusal(stage(calls, 'from,src,to\n1,1,2\n'))).toContain('from and src, which mean the same');
    expect((await stage(calls, 'src,to\n1,2\n')).rows).toBe(1);
  });

  it.each([
    ['# hi\nimo,name\n1,a\n', 'Line 2 has 2 values, but the header, which is the first line, has 1.'],
    ['Harbour\n\nimo,name\n1,a\n', 'but the header, which is the first line, has 1.'],
    ['\nimo,name\n1,a\n', 'The first line must be the header'],
    ['imo,name\n1,a\n2,b,c\n', 'Line 3 has 3 values, but the header, which is the first line, has 2.'],
    ['imo,name\n1\n2,b\n', 'Line 2 has 1 value, but the header, which is the first line, has 2.'],
    ['imo;name\n1;a\n', 'columns are separated by ";"'],
    ['imo\tname\n1\ta\n', 'columns are separated by tabs'],
    ['imo,name\n1,"a\n2,b\n', 'has a quote that is not closed'],
    ['imo,"name\n1,a\n', 'A quote in the header'],
    ['imo,IMO\n1,a\n', 'has the column "IMO" twice'],
    [`imo,name\n1,${'x'.repeat(3_000_000)}\n`, 'Line 2 is longer than 2 MB'],
    [`imo,name\n${'1,a\n'.repeat(30_000)}1,a,b\n`, 'Line 30002 has 3 values'],
    [Uint8Array.from([...Buffer.from('imo,name\n1,'), 0xff, 0xfe, 10]), 'Line 2 is not UTF-8'],
    [Uint8Array.from([0xff, 0xfe, 0x69, 0]), 'It is not UTF-8'],
  ])('says what is wrong with CSV (graphs F-7, I-6): %#', async (csv, message) => {
    expect(await refusal(stage(vessel, csv))).toContain(message);
  });

  it('may have the line ends, quotes and marks of RFC 4180 (graphs F-7)', async () => {
    const table = node('Quoted', [{ name: 'na"me', type: 'STRING' }]);
    const csv = '\uFEFF"imo","na""me",\r\n1,"a,\r\nb",\r\n2,"",x';
    expect((await stage(table, csv)).extraColumns).toEqual(['column2']);
    expect(await rows(table, 'SELECT imo, "na""me", column2 FROM Quoted ORDER BY imo')).toEqual([
      ['1', 'a,\r\nb', null],
      ['2', null, 'x'],
    ]);
  });

  it.each([
    ['csv', 'imo,name\n1,a\n2,b\0c\n', 'name'],
    ['csv', 'imo,other\n1,a\n2,b\0c\n', 'other'],
    ['json', '[{"imo":"1"},{"imo":"2","name":"b\\u0000c"}]', 'name'],
    ['json', '[{"imo":"1"},{"imo":"2","other":"b\\u0000c"}]', 'other'],
    [
      'parquet',
      "SELECT imo, CASE imo WHEN '2' THEN 'b' || chr(0) || 'c' END AS name FROM (VALUES ('1'), ('2')) t(imo)",
      'name',
    ],
  ] as const)('is refused with U+0000 in a text (graphs T-6): %s, %#', async (format, content, column) => {
    const file = format === 'parquet' ? await written(content) : content;
    const staged = format === 'parquet' ? stage(vessel, await readFile(file), format) : stage(vessel, file, format);
    await expect(staged).rejects.toMatchObject({
      code: 'rejected-rows',
      message: `Vessel: ${column}: 1 value with the character U+0000, which no graph keeps (first in row 2: b\\u0000c).`,
      faults: [{ column, reason: 'null-character', count: 1, examples: [{ row: 2, value: 'b\\u0000c' }] }],
    });
  });

  it('is refused with U+0000 in keys and values of a map (graphs T-6)', async () => {
    const table = valued('MAP(STRING, STRING)');
    for (const map of ['{"k\\u0000a":"1"}', '{"k":"\\u0000"}'])
      for (const [format, content] of [
        ['json', `[{"imo":"1","v":${map}}]`],
        ['csv', `imo,v\n1,"${map.replaceAll('"', '""')}"\n`],
      ] as const)
        await expect(stage(table, content, format)).rejects.toMatchObject({
          faults: [{ column: 'v', reason: 'null-character', count: 1 }],
        });
    expect((await stage(table, '[{"imo":"1","v":{"k":"\\\\u0000"}}]', 'json')).rows).toBe(1);
  });

  it.each([
    ['csv', 'imo,na\0me\n1,a\n', 'column 2, "na\\u0000me", has the character U+0000: rename it.'],
    ['json', '[{"imo":"1","ex\\u0000tra":"a"}]', 'column 2, "ex\\u0000tra", has the character U+0000: rename it.'],
    ['csv', 'imo,\uFEFFname\n1,a\n', 'column 2, "\\uFEFFname", begins with the character U+FEFF: rename it.'],
    ['csv', '\uFEFF\uFEFFimo,name\n1,a\n', 'column 1, "\\uFEFFimo", begins with the character U+FEFF: rename it.'],
    ['json', '[{"imo":"1","\uFEFFname":"a"}]', 'column 2, "\\uFEFFname", begins with the character U+FEFF: rename it.'],
  ] as const)('is refused with such a name of a column (graphs T-6, F-7): %s, %#', async (format, content, message) => {
    expect(await refusal(stage(vessel, content, format))).toBe(
      `The file cannot be read as ${format}. The name of ${message}`,
    );
  });

  it('of parquet is refused with U+0000 in the name of a column or field (graphs T-6)', async () => {
    for (const [select, message] of [
      ["SELECT '1' AS imo, 'a' AS a_0_b", 'The name of column 2, "a\\u0000\\u0000\\u0000b", has'],
      ["SELECT '1' AS imo, {'a_0_b': 'a'} AS v", 'The column v has a field whose name has'],
    ] as const) {
      const content = (await readFile(await written(select))).toString('latin1').replaceAll('a_0_b', 'a\0\0\0b');
      expect(await refusal(stage(vessel, Buffer.from(content, 'latin1'), 'parquet'))).toContain(message);
    }
  });

  it('keeps U+FEFF at the beginning of texts and keys (graphs T-6, SQ-5)', async () => {
    const marked = node('Marked', [{ name: 'name', type: 'STRING' }]);
    await stage(marked, 'imo,name\nq,a\n\uFEFFq,\uFEFF\uFEFFb\n');
    expect(await rows(marked, 'SELECT imo, name, [name], length(imo) FROM Marked ORDER BY name')).toEqual([
      ['q', 'a', ['a'], 1],
      ['\uFEFFq', '\uFEFF\uFEFFb', ['\uFEFF\uFEFFb'], 2],
    ]);
  });

  it('of parquet and JSON is refused without the place of the file (graphs I-6)', async () => {
    for (const format of ['parquet', 'json'] as const)
      expect(await refusal(stage(vessel, 'this is neither', format))).toMatch(/^The file cannot be read as \w+\. \w/);
    expect(await refusal(stage(vessel, 'PAR1 cut off PAR1', 'parquet'))).toMatch(/\. \w/);
  });

  it('stays readable when its database is of an earlier form (graphs T-9)', async () => {
    const other = 'kg00000000000000000002';
    const instance = await DuckDBInstance.create(join(folder, 'staging', `${other}.duckdb`));
    const connection = await instance.connect();
    for (const statement of [
      'CREATE SCHEMA files',
      'CREATE TABLE files."Vessel" (file_id VARCHAR, file_position BIGINT, file_row BIGINT, imo VARCHAR, name VARCHAR)',
      "INSERT INTO files.\"Vessel\" VALUES ('gf_a', 1, 1, '1', 'Alba'), ('gf_b', 2, 1, '1', 'Brig')",
      'CREATE TABLE "Vessel" AS SELECT imo, name, file_id FROM files."Vessel" WHERE file_position = 2',
    ])
      await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    const read = async (sql: string) =>
      (await store.query(other, [vessel], sql, [], { timeoutMs: 60_000, maxRows: 10, signal })).rows;
    expect(await read('SELECT name, _file_id FROM Vessel')).toEqual([['Brig', 'gf_b']]);
    expect(await store.unstage(other, vessel, 'gf_b')).toEqual({ removedRows: 1, tableRows: 1 });
    expect(await read('SELECT name, _file_id FROM Vessel')).toEqual([['Alba', 'gf_a']]);
  });
});
