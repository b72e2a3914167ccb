import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnalyticalNode, StagedTable, StagingStore } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { duckdbStagingStore } from './duckdb-staging-store.ts';

const graphId = 'kg00000000000000000001';
const signal = new AbortController().signal;
const valued = (type: string): AnalyticalNode => ({
  kind: 'node',
  name: `V_${type.replaceAll(/\W/g, '_')}`,
  key: 'imo',
  extension: 'custom',
  columns: [
    { name: 'imo', type: 'STRING', isRequired: true },
    { name: 'v', type },
  ],
});

describe('an upload of JSON', () => {
  let folder: string;
  let store: StagingStore;
  let files = 0;

  const stage = async (table: StagedTable, content: string) => {
    files += 1;
    const path = join(folder, `upload-${files}`);
    await writeFile(path, content);
    return store.stage(graphId, table, { id: `gf_${files}`, format: 'json', path, position: files }, signal);
  };
  const texts = async (table: StagedTable) => {
    const sql = `SELECT imo, CAST(v AS VARCHAR) FROM ${table.name} ORDER BY imo`;
    return (await store.query(graphId, [table], sql, [], { timeoutMs: 60_000, maxRows: 100, signal })).rows;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-json-'));
    store = duckdbStagingStore({ folder: join(folder, 'staging') });
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    [
      'DECIMAL(18, 4)',
      ['12345678901234.5678', '99999999999999.9999', '-98765432109876.5432', '1.2300', '-0'],
      ['12345678901234.5678', '99999999999999.9999', '-98765432109876.5432', '1.2300', '0.0000'],
    ],
    ['INT64', ['9007199254740993.0', '9223372036854775807'], ['9007199254740993', '9223372036854775807']],
    ['INT128', ['170141183460469231731687303715884105727'], ['170141183460469231731687303715884105727']],
    [
      'STRING',
      ['1.10', '12345678901234567890.123', '1E2', 'true', '"1.10"', '{"a": [1.10, "x \\"y, 5"], "b": null}', '[ ]'],
      ['1.10', '12345678901234567890.123', '1E2', 'true', '1.10', '{"a":[1.10,"x \\"y, 5"],"b":null}', '[]'],
    ],
  ])(
    'has numbers with all of their digits, in an array and by line (graphs T-6): %s',
    async (type, given, expected) => {
      const table = valued(type);
      const rows = expected.map((text, index) => [`r${index}`, text]);
      const records = given.map((value, index) => `{"v":${value},"imo" : "r${index}"}`);
      await stage(table, `[${records.join(',\n')}]`);
      expect(await texts(table)).toEqual(rows);
      await stage(table, `${records.join('\n')}\n`);
      expect(await texts(table)).toEqual(rows);
    },
  );

  it('keeps the digits of numbers in keys (graphs T-6)', async () => {
    const table = valued('INT8');
    await stage(table, '[{"imo":1.10,"v":1},{"imo":1.1,"v":2},{"imo":-1e400,"v":3}]');
    expect(await texts(table)).toEqual([
      ['-1e400', '3'],
      ['1.1', '2'],
      ['1.10', '1'],
    ]);
  });

  it.each([
    ['DECIMAL(18, 4)', '1.23450000000000000001'],
    ['INT64', '9007199254740993.01'],
    ['INT64', '9007199254740993e0'],
  ])('is refused when %s does not hold all digits (graphs T-6): %s', async (type, value) => {
    await expect(stage(valued(type), `[{"imo":"r","v":${value}}]`)).rejects.toMatchObject({
      faults: [{ column: 'v', reason: 'cast', count: 1, examples: [{ row: 1, value }] }],
    });
  });

  it('may begin with a byte order mark, and texts may have every sign (graphs F-7)', async () => {
    const table = valued('STRING');
    const text = 'a "quoted" \\ {[,:]} \n 5 é 船 NaN';
    for (const [imo, form] of [
      ['array', (record: string) => `\uFEFF[${record}]`],
      ['lines', (record: string) => `\uFEFF${record}\n`],
    ] as const) {
      await stage(table, form(JSON.stringify({ imo, v: text, list: [text, { text }], note: text })));
      const sql = `SELECT v, note, list FROM ${table.name} WHERE imo = '${imo}'`;
      const { rows } = await store.query(graphId, [table], sql, [], { timeoutMs: 60_000, maxRows: 9, signal });
      expect(rows).toEqual([[text, text, JSON.stringify([text, { text }])]]);
    }
  });

  it.each([
    ['', 'It has no records.'],
    ['[]', 'It has no records.'],
    ['[1, 2]', 'Record 1 is not an object'],
    ['[{"imo":"1"}, null]', 'Record 2 is not an object'],
    ['[{"imo":"1"}] x', 'It has text after the end of its array.'],
    ['[{"imo":"1"}, {"imo":', 'It begins with "[" and has no "]" at its end: it was cut off.'],
    ['{"imo":"1"}\n{"imo":"', 'Its last record has no end: it was cut off.'],
    ['{"imo":"1","v":[1 2]}', 'Malformed JSON'],
    ['{"imo":"1","v":1.2.3}', 'Malformed JSON'],
    ['{"imo":"1","v":[01]}', 'Malformed JSON'],
    ['{"imo":"1"}}', 'Malformed JSON'],
    ['{"imo":"1","v":1,"v":2}', 'duplicate key'],
    ['{"imo":"1"}\n{"IMO":"2"}', 'Its records have the columns imo and IMO'],
  ])('says what is wrong with it (graphs F-7, I-6): %s', async (content, message) => {
    const refused = await stage(valued('STRING'), content).then(
      () => undefined,
      (error: { code: string; message: string }) => error,
    );
    expect(refused?.code).toBe('unreadable-file');
    expect(refused?.message).toContain(`The file cannot be read as json. `);
    expect(refused?.message).toContain(message);
    expect(refused?.message).not.toMatch(/upload-|read_|[/\\]tmp|\.copy/);
  });

  it('leaves no other file (graphs I-6)', async () => {
    expect((await readdir(folder)).filter((name) => /\.(?:copy|plain)$/.test(name))).toEqual([]);
  });
});
