import type { DuckDBConnection } from '@duckdb/node-api';
import { literal, quoted } from '@pacioli/worker-process/duckdb-text';
import type { WorkerTable } from '../protocol.ts';
import { WorkerFailure } from './failure.ts';
import { rowsOf } from './rows.ts';

/** A table takes half a megabyte of memory for each column, and a file is staged in two tables (graphs F-7). */
const maxColumns = 400;

export function requireFewColumns(count: number, format: string): void {
  if (count > maxColumns)
    throw new WorkerFailure(
      'unreadable-file',
      `The file cannot be read as ${format}. It has ${count} columns, and at most ${maxColumns} are allowed.`,
    );
}

/** Refuses a file whose columns are too many together with those of the other files of its table. */
export async function requireFewTogether(
  connection: DuckDBConnection,
  table: WorkerTable,
  extraColumns: readonly string[],
): Promise<void> {
  const names = [
    ...(await columnsOfFiles(connection, table)),
    ...table.columns.map(({ name }) => name),
    ...extraColumns,
  ];
  const count = new Set(names.map((name) => name.toLowerCase())).size;
  if (count > maxColumns)
    throw new WorkerFailure(
      'unreadable-file',
      `With those of this file, the table ${table.name} has ${count} columns, and at most ${maxColumns} are allowed.`,
    );
}

/**
 * Drops the columns in which only the rows of one file have a value, other than those of the schema and `kept`. It comes
 * before the rows are deleted: the engine does not alter a table whose rows the transaction has changed.
 */
export async function dropColumnsOfFile(
  connection: DuckDBConnection,
  table: WorkerTable,
  { fileId, kept = [] }: { readonly fileId: string; readonly kept?: readonly string[] },
): Promise<void> {
  const stay = new Set([...table.columns.map(({ name }) => name), ...kept].map((name) => name.toLowerCase()));
  const others = (await columnsOfFiles(connection, table)).filter((name) => !stay.has(name.toLowerCase()));
  if (others.length === 0) return;
  const rows = `files.${quoted(table.name)}`;
  const counts = others.map((name) => `count(${quoted(name)})`).join(', ');
  const [found = []] = await rowsOf(connection, `SELECT ${counts} FROM ${rows} WHERE _file_id <> ${literal(fileId)}`);
  for (const name of others.filter((_, index) => Number(found[index]) === 0))
    await connection.run(`ALTER TABLE ${rows} DROP COLUMN ${quoted(name)}`);
}

async function columnsOfFiles(connection: DuckDBConnection, table: WorkerTable): Promise<readonly string[]> {
  const rows = await rowsOf(
    connection,
    `SELECT column_name FROM duckdb_columns() WHERE database_name = current_database() AND schema_name = 'files'
      AND table_name = ${literal(table.name)} AND NOT starts_with(column_name, '_file_')`,
  );
  return rows.map(([name]) => String(name));
}
