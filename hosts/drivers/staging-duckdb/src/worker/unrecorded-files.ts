import type { DuckDBConnection } from '@duckdb/node-api';
import type { UnrecordedFile } from '@pacioli/core/ports';
import { literal } from '@pacioli/worker-process/duckdb-text';
import { rowsOf } from './rows.ts';

const marks = 'marks.unrecorded';

/** Marks a file in the transaction that stages its rows, until its record exists. */
export async function markUnrecorded(connection: DuckDBConnection, { id, table, rows }: UnrecordedFile): Promise<void> {
  await connection.run('CREATE SCHEMA IF NOT EXISTS marks');
  await connection.run(`CREATE TABLE IF NOT EXISTS ${marks} (file_id VARCHAR, table_name VARCHAR, rows BIGINT)`);
  await deleteMark(connection, id);
  await connection.run(`INSERT INTO ${marks} VALUES (${literal(id)}, ${literal(table)}, ${rows})`);
}

export async function endMark(connection: DuckDBConnection, fileId: string): Promise<void> {
  if (await hasMarks(connection)) await deleteMark(connection, fileId);
}

export async function unrecordedFiles(connection: DuckDBConnection): Promise<readonly UnrecordedFile[]> {
  if (!(await hasMarks(connection))) return [];
  const rows = await rowsOf(connection, `SELECT file_id, table_name, rows FROM ${marks}`);
  return rows.map(([id, table, count]) => ({ id: String(id), table: String(table), rows: Number(count) }));
}

async function deleteMark(connection: DuckDBConnection, fileId: string): Promise<void> {
  await connection.run(`DELETE FROM ${marks} WHERE file_id = ${literal(fileId)}`);
}

async function hasMarks(connection: DuckDBConnection): Promise<boolean> {
  const found = await rowsOf(
    connection,
    `SELECT 1 FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = 'marks'
      AND table_name = 'unrecorded'`,
  );
  return found.length > 0;
}
