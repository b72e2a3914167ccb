import { type DuckDBConnection, type DuckDBInstance, type DuckDBValue, StatementType } from '@duckdb/node-api';
import { duckdbType, quoted } from '@pacioli/worker-process/duckdb-text';
import type { Calls, SourceColumns, SqlParameters } from '../protocol.ts';
import { WorkerFailure } from './failure.ts';
import { neutral } from './values.ts';

const openingWords = ['SELECT', 'WITH', 'FROM', 'VALUES', 'DESCRIBE', 'SHOW', 'SUMMARIZE', 'EXPLAIN'];

/** Statements that only read, by the engine's own parser, which takes DESCRIBE, SHOW and SUMMARIZE for SELECT. */
const reading = new Set([StatementType.SELECT]);

const refusedFunctions = /\b(?:duckdb_|pragma_)\w*\s*\(|\bgetenv\s*\(|\bPRAGMA\b/i;

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
      await addEmptyTables(connection, ask.empty);
      await requireRead(connection, ask.text);
      const reader = await connection.streamAndReadUntil(ask.text, ask.maxRows + 1, ...bound(ask.parameters));
      const rows = reader.getRows();
      return {
        columns: reader.columnNames(),
        rows: rows.slice(0, ask.maxRows).map((row) => row.map(neutral)),
        truncated: rows.length > ask.maxRows,
      };
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

/** Tables without files have no rows yet. Temporary tables live in memory, so that a read-only database can have them. */
async function addEmptyTables(connection: DuckDBConnection, tables: readonly SourceColumns[]): Promise<void> {
  const reader = await connection.runAndReadAll("SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'");
  const present = new Set(reader.getRows().map(([name]) => name));
  for (const { name, columns } of tables.filter((table) => !present.has(table.name))) {
    const list = columns.map((column) => `${quoted(column.name)} ${duckdbType(column.type)}`);
    await connection.run(`CREATE TEMP TABLE ${quoted(name)} (${list.join(', ')})`);
  }
}

/**
 * Refuses all but one reading statement. The configuration of the database refuses files, settings and extensions; this
 * refuses what would show how the host is set up, and gives the reason before anything runs.
 */
async function requireRead(connection: DuckDBConnection, text: string): Promise<void> {
  const masked = maskText(text);
  const [opening = ''] = /^[\s(]*[A-Za-z]*/.exec(masked) ?? [];
  const word = opening.replaceAll(/[\s(]/g, '').toUpperCase();
  if (!openingWords.includes(word)) throw refused('Only SELECT queries are allowed');
  if (word === 'SHOW' && !/^\s*SHOW\s+(ALL\s+)?TABLES\s*;?\s*$/i.test(masked))
    throw refused('Only SHOW TABLES is allowed');
  if (refusedFunctions.test(masked)) throw refused('Functions that describe the engine are not allowed');
  if (word === 'EXPLAIN') {
    // It runs or plans what follows, so that must be a read too.
    const [start = ''] = /^[\s(]*EXPLAIN(?:\s+ANALYZE\b)?/i.exec(masked) ?? [];
    return requireRead(connection, text.slice(start.length));
  }
  const statements = await connection.extractStatements(text);
  if (statements.count !== 1) throw refused('Only one statement per request');
  const prepared = await statements.prepare(0);
  const type = prepared.statementType;
  prepared.destroySync();
  if (!reading.has(type)) throw refused('Only SELECT queries are allowed');
}

/** Replaces comments, texts and quoted names by blanks, so that words in data are not taken for code. */
function maskText(text: string): string {
  return text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"/g, (part) => ' '.repeat(part.length));
}

function refused(message: string): WorkerFailure {
  return new WorkerFailure('refused', `${message}.`);
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
