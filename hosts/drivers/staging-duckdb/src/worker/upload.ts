import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { literal } from '@pacioli/worker-process/duckdb-text';
import type { Calls } from '../protocol.ts';
import { csvHeader } from './csv-header.ts';
import { WorkerFailure } from './failure.ts';
import { requireWholeArray } from './json-end.ts';
import { unreadableFile } from './unreadable.ts';

/** The rows of the file being staged. Names of a schema do not begin with `_` (graphs CS-2). */
export const incoming = 'temp.main._incoming';

/** Columns beside those of the files; a file must not have them. */
export const internalColumns = ['_file_id', '_file_position', '_file_row'];

const maxObjectBytes = 67_108_864;

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
    const source = await sourceOf(connection, format, path);
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
  } catch (error) {
    throw unreadableFile(error, format);
  }
}

async function sourceOf(connection: DuckDBConnection, format: string, path: string): Promise<string> {
  if (format === 'parquet') return `read_parquet(${literal(path)})`;
  if (format === 'json') return jsonSource(connection, path);
  const columns = (await csvHeader(path)).map((name) => `${literal(name)}: 'VARCHAR'`);
  return `read_csv(${literal(path)}, auto_detect = false, header = true, columns = {${columns.join(', ')}},
    delim = ',', quote = '"', escape = '"', nullstr = '')`;
}

/** Scalars are read as text, so that no digit is lost before the cast to the declared type. */
async function jsonSource(connection: DuckDBConnection, path: string): Promise<string> {
  await requireWholeArray(path);
  const read = `read_json(${literal(path)}, sample_size = -1, maximum_object_size = ${maxObjectBytes})`;
  const described = await rowsOf(connection, `DESCRIBE SELECT * FROM ${read}`);
  const columns = described.map(([name, type]) => {
    // A column with numbers and texts is described as JSON; as JSON, its texts would have quotes.
    const isNested = /[[(]|^MAP/.test(String(type));
    return `${literal(String(name))}: ${literal(isNested ? 'JSON' : 'VARCHAR')}`;
  });
  return `read_json(${literal(path)}, columns = {${columns.join(', ')}}, maximum_object_size = ${maxObjectBytes})`;
}

export async function rowsOf(
  connection: DuckDBConnection,
  statement: string,
): Promise<readonly (readonly DuckDBValue[])[]> {
  return (await connection.runAndReadAll(statement)).getRows();
}
