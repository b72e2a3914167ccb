import type { DuckDBConnection } from '@duckdb/node-api';
import { literal } from '@pacioli/worker-process/duckdb-text';
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
  const rows = await rowsOf(
    connection,
    `SELECT column_name FROM duckdb_columns() WHERE database_name = current_database() AND schema_name = 'files'
      AND table_name = ${literal(table.name)} AND NOT starts_with(column_name, '_file_')`,
  );
  const names = [...rows.map(([name]) => String(name)), ...table.columns.map(({ name }) => name), ...extraColumns];
  const count = new Set(names.map((name) => name.toLowerCase())).size;
  if (count > maxColumns)
    throw new WorkerFailure(
      'unreadable-file',
      `With those of this file, the table ${table.name} has ${count} columns, and at most ${maxColumns} are allowed.`,
    );
}
