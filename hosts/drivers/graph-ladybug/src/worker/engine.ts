import { Connection, Database, type LbugValue, type PreparedStatement, type QueryResult } from '@ladybugdb/core';
import {
  type Calls,
  isNested,
  type OpenRequest,
  type Rerun,
  type RowChunk,
  type StartedRun,
  type WrittenRows,
} from '../protocol.ts';
import type { PropertyTypes } from './exact-values.ts';
import { StatementRefused, WorkerFailure } from './failure.ts';
import { lostValueChecks } from './lost-values.ts';
import { columnsOf, inexactColumns, type ResultColumns, readRows } from './result-columns.ts';
import { hasFraction, roundedValue } from './rounded-values.ts';

interface OpenStream {
  readonly connection: Connection;
  readonly result: QueryResult;
  readonly columns: ResultColumns;
}

/** The one database of a worker. Every path closes its result, because an open one keeps the file locked. */
export class Engine {
  readonly #request: OpenRequest;
  readonly #database: Database;
  readonly #streams = new Map<number, OpenStream>();
  #streamsOpened = 0;
  #properties: Promise<PropertyTypes> | undefined;

  constructor(request: OpenRequest) {
    this.#request = request;
    this.#database = new Database(
      request.path,
      request.bufferPoolBytes,
      true,
      request.mode === 'read',
      request.maxDatabaseBytes, // Without it the engine maps 8 TiB for each database.
    );
  }

  /**
   * Opens a connection with its own time limit; the engine rejects 0, so the smallest limit is 1 ms. None is used twice: a
   * connection keeps what it prepared, such as the numbers of a range, until it is closed.
   */
  async connect(timeoutMs: number): Promise<Connection> {
    const connection = new Connection(this.#database, this.#request.threads);
    await connection.init();
    connection.setQueryTimeout(Math.max(1, timeoutMs));
    return connection;
  }

  /** Runs trusted statements and returns the rows of the last one. */
  async execute(statements: readonly string[], connection?: Connection): Promise<Record<string, unknown>[]> {
    const own = connection ?? (await this.connect(2 ** 31 - 1));
    let rows: Record<string, unknown>[] = [];
    try {
      for (const statement of statements) {
        const result = single(await own.query(statement));
        try {
          rows = result.getAllSync();
        } finally {
          result.close();
        }
      }
      return rows;
    } finally {
      if (connection === undefined) await own.close();
    }
  }

  /** Creates tables. */
  async define(statements: readonly string[]): Promise<void> {
    try {
      await this.execute(statements);
    } finally {
      this.#properties = undefined;
    }
  }

  async #columnsOf(result: QueryResult, ask: Rerun): Promise<ResultColumns> {
    const hasNested = result.getColumnDataTypesSync().some(isNested);
    return columnsOf(result, ask, hasNested ? await this.#propertyTypes() : new Map());
  }

  /** Read once, and again after tables were created. */
  #propertyTypes(): Promise<PropertyTypes> {
    this.#properties ??= this.#readPropertyTypes();
    return this.#properties;
  }

  async #readPropertyTypes(): Promise<PropertyTypes> {
    const tables = await this.execute(['CALL SHOW_TABLES() RETURN name']);
    const types = new Map<string, ReadonlyMap<string, string>>();
    for (const name of tables.map((table) => String(table['name']))) {
      const columns = await this.execute([`CALL TABLE_INFO('${name}') RETURN name, type`]);
      types.set(name, new Map(columns.map((column) => [String(column['name']), String(column['type'])])));
    }
    return types;
  }

  async analyze(text: string): Promise<{ isReadOnly: boolean }> {
    const connection = await this.connect(10_000);
    try {
      return { isReadOnly: (await prepared(connection, text)).isReadOnly() };
    } finally {
      await connection.close();
    }
  }

  /** Executes a read statement; its result stays in the engine until its rows are fetched. */
  async run(ask: Calls['run']['ask']): Promise<StartedRun> {
    const connection = await this.connect(ask.timeoutMs);
    let result: QueryResult | undefined;
    try {
      const statement = await prepared(connection, ask.text);
      if (!statement.isReadOnly()) throw new WorkerFailure('read-only', 'This statement would change the graph.');
      await this.#requireUnrounded(ask, false);
      // JSON values and bigints, which the binding accepts unchanged.
      const parameters = ask.parameters as Record<string, LbugValue>;
      result = single(await connection.execute(statement, parameters));
      const columns = await this.#columnsOf(result, ask);
      const inexact = await inexactColumns(result, columns, ask);
      const stream: OpenStream = { connection, result, columns };
      const run = { names: columns.names, types: columns.types, inexact, rows: result.getNumTuples() };
      const first = { rows: inexact.length > 0 ? [] : readRows(result, columns, ask.firstRows), done: false };
      if (inexact.length === 0 && !result.hasNext()) {
        result.close();
        await connection.close();
        return { ...run, stream: 0, first: { ...first, done: true } };
      }
      const id = ++this.#streamsOpened;
      this.#streams.set(id, stream);
      return { ...run, stream: id, first };
    } catch (error) {
      result?.close();
      await connection.close();
      throw error;
    }
  }

  /**
   * Executes a writing statement in its own transaction. If the binding would truncate values of the result, nothing is
   * written, because the statement has to run again.
   */
  async write(ask: Calls['write']['ask']): Promise<WrittenRows> {
    const connection = await this.connect(ask.timeoutMs);
    let result: QueryResult | undefined;
    try {
      await this.execute(['BEGIN TRANSACTION'], connection);
      const statement = await prepared(connection, ask.text);
      await this.#requireUnrounded(ask, true);
      result = single(await connection.execute(statement, ask.parameters as Record<string, LbugValue>)); // As in `run`.
      const columns = await this.#columnsOf(result, ask);
      const inexact = await inexactColumns(result, columns, ask);
      const rows = inexact.length > 0 ? [] : readRows(result, columns, ask.maxRows);
      const isTruncated = inexact.length === 0 && result.hasNext();
      result.close();
      result = undefined;
      if (inexact.length === 0) await this.#requireKept(ask.text, connection);
      if (inexact.length > 0) await this.execute(['ROLLBACK'], connection);
      else await this.#commit(connection);
      return { names: columns.names, types: columns.types, inexact, rows, isTruncated };
    } finally {
      // Closing a connection rolls back what it has not committed.
      result?.close();
      await connection.close();
    }
  }

  /**
   * The engine cannot read a log with a value beyond 4 kB again, so that a crash would lose the database. A statement is
   * therefore in the database file, and the log empty, before its caller hears that it is written.
   */
  async #commit(connection: Connection): Promise<void> {
    await this.execute(['COMMIT', 'CHECKPOINT'], connection);
  }

  async #requireUnrounded({ text, parameters }: Calls['write']['ask'] | Calls['run']['ask'], isWrite: boolean) {
    if (!hasFraction(text, parameters)) return;
    const found = roundedValue(text, parameters, { properties: await this.#propertyTypes(), isWrite });
    if (found === undefined) return;
    const message = `${found.property} is ${found.type}, which cannot hold ${found.value} without rounding it. Round it first, or compare it in WHERE.`;
    throw new WorkerFailure('runtime', message);
  }

  async #requireKept(text: string, connection: Connection): Promise<void> {
    const checks = lostValueChecks(text, await this.#propertyTypes());
    if (checks.length === 0) return;
    const tables = await this.execute(['CALL SHOW_TABLES() RETURN name, type'], connection);
    const nodes = new Set(tables.filter(({ type }) => type === 'NODE').map(({ name }) => name));
    for (const { table, properties, condition, message } of checks) {
      const pattern = nodes.has(table) ? `(value:\`${table}\`)` : `()-[value:\`${table}\`]->()`;
      const found = await this.execute([`MATCH ${pattern} WHERE ${condition} RETURN 1 AS found LIMIT 1`], connection);
      if (found.length > 0) throw new WorkerFailure('runtime', `${message} (${properties.join(', ')}).`);
    }
  }

  /** Returns the next rows of a stream; the last call ends it. */
  async next(ask: Calls['next']['ask']): Promise<RowChunk> {
    const stream = this.#streams.get(ask.stream);
    if (stream === undefined) return { rows: [], done: true };
    try {
      const rows = readRows(stream.result, stream.columns, ask.rows);
      const done = !stream.result.hasNext();
      if (done) await this.end(ask.stream);
      return { rows, done };
    } catch (error) {
      await this.end(ask.stream);
      throw error;
    }
  }

  async end(id: number): Promise<void> {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    this.#streams.delete(id);
    stream.result.close();
    await stream.connection.close();
  }

  async close(): Promise<void> {
    for (const id of [...this.#streams.keys()]) await this.end(id);
    if (this.#request.mode === 'write') await this.execute(['CHECKPOINT']);
    await this.#database.close();
  }
}

async function prepared(connection: Connection, text: string): Promise<PreparedStatement> {
  // `prepare` rejects several statements in one text; the engine's `query` would run them all.
  const statement = await connection.prepare(text);
  if (!statement.isSuccess()) throw new StatementRefused(statement.getErrorMessage(), text);
  return statement;
}

function single(result: QueryResult | QueryResult[]): QueryResult {
  if (!Array.isArray(result)) return result;
  for (const one of result) one.close();
  throw new WorkerFailure('syntax', 'Only one statement per request.');
}
