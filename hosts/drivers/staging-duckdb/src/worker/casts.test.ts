import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { literal } from '@pacioli/worker-process/duckdb-text';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { castOf } from './casts.ts';

const record = 'STRUCT(a INT64, b STRING)';
const counts = 'MAP(STRING, INT64)';

describe('the cast of a list, map or record', () => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;

  beforeAll(async () => {
    instance = await DuckDBInstance.create(':memory:');
    connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
  });
  afterAll(() => {
    connection.closeSync();
    instance.closeSync();
  });

  /** The text of the value, null where it does not fit. */
  const cast = async (type: string, value: string, given = 'VARCHAR') => {
    const of = given === 'VARCHAR' ? literal(value) : value;
    const reader = await connection.runAndReadAll(
      `SELECT CAST(${castOf('v', type, given)} AS VARCHAR) FROM (SELECT ${of} AS v)`,
    );
    return reader.getRows()[0]?.[0];
  };
  const castTyped = async (type: string, value: string) => {
    const reader = await connection.runAndReadAll(`SELECT typeof(${value})`);
    return cast(type, value, String(reader.getRows()[0]?.[0]));
  };

  it.each([
    ['INT64[]', '[9007199254740993.0, -5, null, "7", 1e3]', '[9007199254740993, -5, NULL, 7, 1000]'],
    ['INT64[]', '[]', '[]'],
    ['INT64[]', '[9223372036854775807]', '[9223372036854775807]'],
    ['INT64[][]', '[[1], null, [2.0, null]]', '[[1], NULL, [2, NULL]]'],
    ['DECIMAL(18, 4)[]', '[12345678901234.5678, 1.10]', '[12345678901234.5678, 1.1000]'],
    ['STRING[]', '["a \\"b\\", 5", 1.10, true, null, {"a": [1.10]}]', `['a "b", 5', 1.10, true, NULL, '{"a":[1.10]}']`],
    ['TIMESTAMP[]', '["2026-01-01T00:00:00+05:30", "2026-01-01"]', "['2025-12-31 18:30:00', '2026-01-01 00:00:00']"],
    ['DATE[]', '["2026-02-03", "2026-02-03T00:00:00"]', '[2026-02-03, 2026-02-03]'],
    ['DOUBLE[]', '[0.1, 1e300, null, "2.5"]', '[0.1, 1e+300, NULL, 2.5]'],
    ['FLOAT[3]', '[0.1, -2, 3e5]', '[0.1, -2.0, 300000.0]'],
    ['INT128[]', '[170141183460469231731687303715884105727]', '[170141183460469231731687303715884105727]'],
    ['BOOLEAN[]', '[true, false, null]', '[true, false, NULL]'],
    [counts, '{"a": 1.0, "b": null, "c d": 9007199254740993}', '{a=1, b=NULL, c d=9007199254740993}'],
    ['MAP(INT64, DATE)', '{"7": "2026-01-01"}', '{7=2026-01-01}'],
    ['MAP(STRING, INT64[])', '{"a": [1, 2.0], "b": []}', '{a=[1, 2], b=[]}'],
    [record, '{"b": "x", "a": 9007199254740993.0}', "{'a': 9007199254740993, 'b': x}"],
    [record, '{"a": null}', "{'a': NULL, 'b': NULL}"],
    [`${record}[]`, '[{"a": 1, "b": "y"}, null]', "[{'a': 1, 'b': y}, NULL]"],
    ['STRUCT(a STRUCT(b INT64[]))', '{"a": {"b": [9007199254740993]}}', "{'a': {'b': [9007199254740993]}}"],
  ])('keeps what fits %s (graphs T-6): %s', async (type, given, expected) => {
    expect(await cast(type, given)).toBe(expected);
  });

  it.each([
    [
      'INT64[]',
      ['[1.5]', '["x"]', '["2.7"]', '[9007199254740993.5]', '[-9223372036854775808]', '[[1]]', '{}', '5', '[1', 'x'],
    ],
    ['INT8[]', ['[300]', '[1, 300]', '[1, -128]']],
    ['INT16[2]', ['[1, -32768]']],
    ['INT32[][]', ['[[1, -2147483648]]']],
    ['MAP(INT8, INT16)', ['{"-128": 1}', '{"1": -32768}']],
    ['UNION(small INT8, large INT64)', ['-128', ' -0128.0', '-9223372036854775808']],
    ['INT64[][]', ['[[1.5]]', '[1]', '[[1], "x"]']],
    ['DECIMAL(18, 4)[]', ['[1.23450000000000000001]', '[1.23456]']],
    ['TIMESTAMP[]', ['["2026-01-01T00:00:00.1234567Z"]', '["tomorrow"]']],
    ['DATE[]', ['["2026-02-03T10:00:00"]', '["12345-01-01"]', '["0000-01-01"]']],
    ['FLOAT[3]', ['[1, 2]', '["a", 1, 2]']],
    ['BOOLEAN[]', ['[1, "maybe"]']],
    ['DOUBLE[]', ['[0.1, 1e309]', '["NaN"]', '[NaN, null]', '[-inf]']],
    ['FLOAT[2]', ['[0.1, 3e39]']],
    ['STRUCT(a DOUBLE)', ['{"a": "Infinity"}']],
    ['MAP(STRING, DOUBLE)', ['{"a": "nan"}']],
    ['UNION(d DOUBLE, s STRING)', ['NaN', '1e309']],
    [counts, ['{"a": 2.5}', '{"a": 1, "a": 2}', '[1]', '{"a": [1]}']],
    ['MAP(INT64, STRING)', ['{"x": "y"}', '{"1": "a", "01": "b"}']],
    ['MAP(STRING, DATE)', ['{"a": "2026-02-03T10:00:00"}']],
    [record, ['{"a": 1.5, "b": "x"}', '{"a": 1, "b": "x", "zz": 9}', '{"a": 1, "a": 2}', '{"A": 1}', '[1]', '"a"']],
    [`${record}[]`, ['[{"a": 1.5}]', '[{"a": 1}, {"zz": null}]']],
    ['STRING[]', ['["\uFDD05"]', '["\\ufdd05"]']],
  ])('refuses what does not fit %s (graphs T-6)', async (type, wrong) => {
    for (const given of wrong) expect([given, await cast(type, given)]).toEqual([given, null]);
  });

  it.each([
    ['INT64[]', '[7.0::DOUBLE, NULL]', '[7, NULL]', '[1.5::DOUBLE]'],
    ['INT64[]', '[]::BIGINT[]', '[]', "['-9223372036854775808'::BIGINT]"],
    ['INT64[]', "['7', '1e3']", '[7, 1000]', "['1.5']"],
    ['INT64[][]', "['[7, 8]']", '[[7, 8]]', "['[7.5]']"],
    ['DECIMAL(18, 2)[]', '[1.10::DECIMAL(9, 2)]', '[1.10]', '[1.105::DECIMAL(9, 3)]'],
    [
      'TIMESTAMP[]',
      "[TIMESTAMPTZ '2026-01-01T00:00:00+05:30']",
      "['2025-12-31 18:30:00']",
      "[TIMESTAMP_NS '2026-01-01 00:00:00.000000001']",
    ],
    ['FLOAT[2]', '[0.5, 0.1]::DOUBLE[]', '[0.5, 0.1]', '[0.5]::DOUBLE[]'],
    ['FLOAT[2]', '[0.5, 0.1]::FLOAT[2]', '[0.5, 0.1]', '[0.5, 0.1, 1]::FLOAT[3]'],
    ['DOUBLE[]', '[0.5, NULL]::DOUBLE[]', '[0.5, NULL]', "[0.5, 'nan'::DOUBLE]"],
    ['FLOAT[]', '[0.5]::FLOAT[]', '[0.5]', "['inf'::FLOAT]"],
    [counts, "MAP {'a': 1.0::DOUBLE, 'b': NULL}", '{a=1, b=NULL}', "MAP {'a': 1.5::DOUBLE}"],
    [record, "{'b': 'x', 'a': 3}", "{'a': 3, 'b': x}", "{'a': 3, 'b': 'x', 'zz': 9}"],
    [record, "{'a': 3, 'zz': NULL}", "{'a': 3, 'b': NULL}", "{'a': 3.5::DOUBLE}"],
    [record, "{'a': NULL}", "{'a': NULL, 'b': NULL}", '7'],
    ['STRUCT(a STRUCT(b INT64[]))', "{'a': {'b': [1]}}", "{'a': {'b': [1]}}", "{'a': {'b': [1.5]}}"],
    ['STRING', '[1, 2]', '[1, 2]', 'NULL'],
    ['STRING', "'Zo\\xC3\\xAB'::BLOB", 'Zoë', "'\\xFF'::BLOB"],
    ['STRING[]', "['Zo\\xC3\\xAB'::BLOB, NULL]", '[Zoë, NULL]', "['a\\x00'::BLOB]"],
  ])(
    'of a type of the engine is refused when a value does not fit %s (graphs T-6): %s',
    async (type, fits, text, wrong) => {
      expect(await castTyped(type, fits)).toBe(text);
      expect(await castTyped(type, wrong)).toBe(null);
    },
  );
});
