import type { DuckDBConnection } from '@duckdb/node-api';
import { literal } from '@pacioli/worker-process/duckdb-text';
import { WorkerFailure } from './failure.ts';
import { rowsOf } from './rows.ts';

/** The engine reads decimals of more digits as other numbers, without an error. */
const maxDigits = 38;

/** Refuses a parquet file with decimals, also in lists and records, that are too wide for the engine (graphs T-6). */
export async function requireReadableDecimals(connection: DuckDBConnection, path: string): Promise<void> {
  const rows = await rowsOf(
    connection,
    `SELECT name, coalesce(num_children, 0), coalesce(precision, 0) FROM parquet_schema(${literal(path)})`,
  );
  // The schema is a tree whose elements come in their order, each before its children; the first is the root.
  const [, ...elements] = rows;
  let column = '';
  let rest = 0;
  for (const [name, children, digits] of elements) {
    if (rest === 0) column = String(name);
    rest = Math.max(0, rest - 1) + Number(children);
    if (Number(digits) > maxDigits)
      throw new WorkerFailure(
        'unreadable-file',
        `The file cannot be read as parquet. The column ${column} has decimals of ${String(digits)} digits, and only ` +
          `${maxDigits} can be read: write it as decimal128 or as text.`,
      );
  }
}
