import type { DuckDBConnection, DuckDBInstance, DuckDBResult, DuckDBValue } from '@duckdb/node-api';
import type { GraphValue } from '@pacioli/core/ports';
import { duckdbType, quoted } from '@pacioli/worker-process/duckdb-text';
import type { Calls, SourceColumns, SqlParameters } from '../protocol.ts';
import { WorkerFailure } from './failure.ts';
import { requireRead } from './read-gate.ts';
import { jsonBytes, neutral } from './values.ts';

/** Runs statements of callers on a connection that can read nothing but the database. */
export class Queries {
  readonly #instance: DuckDBInstance;
  readonly #running = new Map<number, DuckDBConnection>();

  constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  async query(ask: Calls['query']['ask']): Promise<Calls['query']['answer']> {
    const connection = await this.#instance.connect();
    this.#running.set(ask.id, connection);
    const timer = setTimeout(() => connection.interrupt(), ask.timeoutMs);
    try {
      const tables = await addEmptyTables(connection, ask.empty);
      await requireRead(connection, ask.text, tables);
      return await answerOf(await connection.stream(ask.text, ...bound(ask.parameters)), ask);
    } finally {
      clearTimeout(timer);
      this.#running.delete(ask.id);
      connection.closeSync();
    }
  }

  interrupt(id: number): void {
    this.#running.get(id)?.interrupt();
  }
}

/** Reads rows up to the limits. Few rows can be so long that the process of the parent could not hold them. */
async function answerOf(
  result: DuckDBResult,
  { maxRows, maxBytes }: Calls['query']['ask'],
): Promise<Calls['query']['answer']> {
  const columns = result.columnNames();
  const rows: GraphValue[][] = [];
  let bytes = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return { columns, rows, truncated: false };
    for (let index = 0; index < chunk.rowCount; index += 1) {
      const row = chunk.getRowValues(index).map(neutral);
      bytes += row.reduce<number>((sum, value) => sum + jsonBytes(value), 2);
      if (rows.length === maxRows || bytes > maxBytes) return { columns, rows, truncated: true };
      rows.push(row);
    }
  }
}

/**
 * Tables without files have no rows yet. Temporary tables live in memory, so that a read-only database can have them.
 * Returns the names of all tables in lower case.
 */
async function addEmptyTables(
  connection: DuckDBConnection,
  tables: readonly SourceColumns[],
): Promise<ReadonlySet<string>> {
  const reader = await connection.runAndReadAll("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'");
  const present = new Set(reader.getRows().map(([name]) => name));
  for (const { name, columns } of tables.filter((table) => !present.has(table.name))) {
    const list = columns.map((column) => `${quoted(column.name)} ${duckdbType(column.type)}`);
    await connection.run(`CREATE TEMP TABLE ${quoted(name)} (${list.join(', ')})`);
  }
  return new Set([...present, ...tables.map(({ name }) => name)].map((name) => String(name).toLowerCase()));
}

/** Integers beyond 2^53 arrive as bigint; lists and objects are not values of SQL here. */
function bound(parameters: SqlParameters): [] | [DuckDBValue[]] | [Record<string, DuckDBValue>] {
  const check = (value: unknown): DuckDBValue => {
    if (value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return value as DuckDBValue; // Checked.
    throw new WorkerFailure('parameter', 'A parameter is a text, a number, true, false or null.');
  };
  if (Array.isArray(parameters)) return parameters.length === 0 ? [] : [parameters.map(check)];
  const entries = Object.entries(parameters).map(([name, value]): [string, DuckDBValue] => [name, check(value)]);
  return entries.length === 0 ? [] : [Object.fromEntries(entries)];
}
