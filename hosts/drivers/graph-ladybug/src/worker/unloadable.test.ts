import { DuckDBInstance } from '@duckdb/node-api';
import { quoted } from '@pacioli/worker-process/duckdb-text';
import { describe, expect, it } from 'vitest';
import { unloadable } from './unloadable.ts';

describe('values that cannot be loaded into a graph', () => {
  it.each([
    ['DOUBLE', '0.5::DOUBLE', "'NaN'::DOUBLE"],
    ['FLOAT', '0.5::FLOAT', "'-inf'::FLOAT"],
    ['INT64', '5::BIGINT', "'-9223372036854775808'::BIGINT"],
    ['INT8', "'-127'::TINYINT", "'-128'::TINYINT"],
    ['INT16', "'-32767'::SMALLINT", "'-32768'::SMALLINT"],
    ['INT32', "'-2147483647'::INTEGER", "'-2147483648'::INTEGER"],
    ['INT8[2]', '[1, -127]::TINYINT[2]', '[1, -128]::TINYINT[2]'],
    ['MAP(INT16, INT64)', 'MAP {5::SMALLINT: 5::BIGINT}', "MAP {'-32768'::SMALLINT: 5::BIGINT}"],
    ['UNION(small INT8, share DOUBLE)', "'-127'", "'-128'"],
    ['DATE', "'2026-01-01'", "'tomorrow'"],
    ['DATE', "'9999-12-31'", "'infinity'"],
    ['TIMESTAMP', "'0001-01-01 00:00:00'", "'0001-06-01 (BC) 00:00:00'"],
    ['DATE[]', "['2026-01-01'::DATE]", "['12345-01-01'::DATE]"],
    ['FLOAT[2]', '[0.5, NULL]::FLOAT[2]', "[0.5, 'nan'::FLOAT]::FLOAT[2]"],
    ['INT64[][]', '[[5], NULL]::BIGINT[][]', "[[5], ['-9223372036854775808'::BIGINT]]"],
    ['STRUCT(a DOUBLE, b STRING)', "{'a': 0.5::DOUBLE, 'b': 'NaN'}", "{'a': 'NaN'::DOUBLE, 'b': ''}"],
    ['MAP(STRING, DOUBLE[])', "MAP {'NaN': [0.5::DOUBLE]}", "MAP {'a': ['inf'::DOUBLE]}"],
    ['UNION(d DOUBLE, s STRING)', "'five'", "'NaN'"],
  ])('are found in %s (graphs T-6, M-24)', async (type, fits, wrong) => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const condition = unloadable({ name: 'a "v', type });
    const reader = await connection.runAndReadAll(
      `SELECT coalesce(${condition}, false) FROM (VALUES (${fits}), (${wrong}), (NULL)) rows(${quoted('a "v')})`,
    );
    expect(reader.getRows()).toEqual([[false], [true], [false]]);
    connection.closeSync();
    instance.closeSync();
  });

  it('are not in other types', () => {
    expect(unloadable({ name: 'v', type: 'STRING[]' })).toBe(undefined);
    expect(unloadable({ name: 'v', type: 'STRUCT(a STRING)' })).toBe(undefined);
  });
});
