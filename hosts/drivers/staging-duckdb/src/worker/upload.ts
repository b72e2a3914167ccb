import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { literal } from '@pacioli/worker-process/duckdb-text';
import type { Calls } from '../protocol.ts';
import { requireFewColumns } from './column-limit.ts';
import { requirePlainNames } from './column-names.ts';
import { csvHeader } from './csv-header.ts';
import { WorkerFailure } from './failure.ts';
import { byteOrderMark, copyJson, hasByteOrderMark } from './json-copy.ts';
import { rowsOf } from './rows.ts';
import { unreadableFile } from './unreadable.ts';
import { requireReadableDecimals } from './wide-decimals.ts';

/** The rows of the file being staged. Names of a schema do not begin with `_` (graphs CS-2). */
export const incoming = 'temp.main._incoming';

/** Columns beside those of the files; a file must not have them. */
export const internalColumns = ['_file_id', '_file_position', '_file_row'];

const maxObjectBytes = 67_108_864;
/** Of the engine. */
const defaultObjectBytes = 16_777_216;

export interface GivenColumn {
  readonly name: string;
  /** As the engine writes it; VARCHAR in CSV and JSON. */
  readonly type: string;
}

/** Reads a file into the table `incoming` and returns its columns. */
export async function readUpload(
  connection: DuckDBConnection,
  { format, path }: Calls['stage']['ask']['file'],
): Promise<readonly GivenColumn[]> {
  try {
    return await (format === 'json'
      ? readJson(connection, path)
      : readSource(connection, await sourceOf(connection, format, path)));
  } catch (error) {
    throw unreadableFile(error, format);
  }
}

async function readSource(connection: DuckDBConnection, source: string): Promise<readonly GivenColumn[]> {
  const columns = (await rowsOf(connection, `DESCRIBE SELECT * FROM ${source}`)).map(([name, type]) => ({
    name: String(name),
    type: String(type),
  }));
  for (const { name } of columns)
    if (internalColumns.includes(name.toLowerCase()))
      throw new WorkerFailure('unreadable-file', `The column name ${name.toLowerCase()} is reserved: rename it.`);
  await connection.run(`CREATE OR REPLACE TEMP TABLE _incoming AS
    SELECT row_number() OVER () AS _file_row, * FROM ${source}`);
  return columns;
}

async function sourceOf(connection: DuckDBConnection, format: string, path: string): Promise<string> {
  if (format === 'parquet') {
    await requireReadableDecimals(connection, path);
    const columns = await rowsOf(connection, `DESCRIBE SELECT * FROM read_parquet(${literal(path)})`);
    requireFewColumns(columns.length, 'parquet');
    requirePlainNames(
      columns.map(([name]) => String(name)),
      'parquet',
    );
    for (const [name, type] of columns)
      if (String(type).includes('\0'))
        throw new WorkerFailure(
          'unreadable-file',
          `The file cannot be read as parquet. The column ${String(name)} has a field whose name has the character U+0000: rename it.`,
        );
    return `read_parquet(${literal(path)})`;
  }
  const names = await csvHeader(path);
  requireFewColumns(names.length, 'csv');
  requirePlainNames(names, 'csv');
  const columns = names.map((name) => `${literal(name)}: 'VARCHAR'`);
  return `read_csv(${literal(path)}, auto_detect = false, header = true, columns = {${columns.join(', ')}},
    delim = ',', quote = '"', escape = '"', nullstr = '')`;
}

/** Reads all values as texts, so that no digit is lost before the cast to the declared type. */
async function readJson(connection: DuckDBConnection, path: string): Promise<readonly GivenColumn[]> {
  const [plain, copy] = [`${path}.plain`, `${path}.copy`];
  try {
    const isMarked = await hasByteOrderMark(path);
    if (isMarked) await pipeline(createReadStream(path, { start: byteOrderMark.length }), createWriteStream(plain));
    const source = isMarked ? plain : path;
    const { maxRecordBytes } = await copyJson(source, copy);
    // The engine takes memory for several of the longest records at once.
    const limit = Math.max(defaultObjectBytes, maxRecordBytes);
    const names = await jsonColumns(connection, source, Math.min(limit, maxObjectBytes));
    requireFewColumns(names.length, 'json');
    requirePlainNames(names, 'json');
    const columns = names.map((name) => `${literal(name)}: 'VARCHAR'`);
    return await readSource(
      connection,
      `read_json(${literal(copy)}, columns = {${columns.join(', ')}}, maximum_object_size = ${limit})`,
    );
  } finally {
    for (const each of [plain, copy]) await rm(each, { force: true });
  }
}

/** The names of all records in the order of their first places. */
async function jsonColumns(connection: DuckDBConnection, path: string, limit: number): Promise<readonly string[]> {
  const rows = await rowsOf(
    connection,
    `SELECT name FROM (SELECT unnest(names) AS name, generate_subscripts(names, 1) AS place, row FROM (
      SELECT json_keys(json) AS names, row_number() OVER () AS row
      FROM read_json_objects(${literal(path)}, maximum_object_size = ${limit})))
      GROUP BY name ORDER BY min(row), min(place)`,
  );
  const seen = new Map<string, string>();
  return rows.map(([value]) => {
    const name = String(value);
    const other = seen.get(name.toLowerCase());
    if (other !== undefined)
      throw new WorkerFailure(
        'unreadable-file',
        `The file cannot be read as json. Its records have the columns ${other} and ${name}, which mean the same.`,
      );
    seen.set(name.toLowerCase(), name);
    return name;
  });
}
