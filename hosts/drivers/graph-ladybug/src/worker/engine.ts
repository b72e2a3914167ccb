import { Connection, Database, type LbugValue, type PreparedStatement, type QueryResult } from '@ladybugdb/core';
import type { GraphValue, ResultRow } from '@pacioli/core/ports';
import type { Calls, OpenRequest, RowChunk, StartedRun, WrittenRows } from '../protocol.ts';
import { StatementRefused, WorkerFailure } from './failure.ts';
import { type Converter, converterFor, needsText } from './values.ts';

interface OpenStream {
  readonly connection: Connection;
  readonly result: QueryResult;
  readonly names: readonly string[];
  readonly converters: readonly Converter[];
}

/** Rows scanned before the event loop handles other messages. */
const scanRowsPerTurn = 20_000;
/** A longer result is not read twice: a number truncated after this many rows ends the stream with an error. */
const maxScanRows = 100_000;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The one database of a worker. Every path closes its result, because an open one keeps the file locked. */
export class Engine {
  readonly #request: OpenRequest;
  readonly #database: Database;
  readonly #streams = new Map<number, OpenStream>();
  #streamsOpened = 0;

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
      // JSON values and bigints, which the binding accepts unchanged.
      const parameters = ask.parameters as Record<string, LbugValue>;
      result = single(await connection.execute(statement, parameters));
      const names = result.getColumnNamesSync();
      const types = result.getColumnDataTypesSync().map((type, index) => ask.casts[index] ?? type);
      const inexact = await inexactColumns(result, names, types, ask.casts);
      const converters = types.map((type, index) => castConverter(type, ask.casts[index] !== undefined));
      const stream: OpenStream = { connection, result, names, converters };
      const run = { names, types, inexact, rows: result.getNumTuples() };
      const first = { rows: inexact.length > 0 ? [] : readRows(stream, ask.firstRows), done: false };
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
      result = single(await connection.execute(statement, ask.parameters as Record<string, LbugValue>)); // As in `run`.
      const names = result.getColumnNamesSync();
      const types = result.getColumnDataTypesSync().map((type, index) => ask.casts[index] ?? type);
      const inexact = await inexactColumns(result, names, types, ask.casts);
      const converters = types.map((type, index) => castConverter(type, ask.casts[index] !== undefined));
      const rows = inexact.length > 0 ? [] : readRows({ connection, result, names, converters }, ask.maxRows);
      const isTruncated = inexact.length === 0 && result.hasNext();
      result.close();
      result = undefined;
      await this.execute([inexact.length > 0 ? 'ROLLBACK' : 'COMMIT'], connection);
      return { names, types, inexact, rows, isTruncated };
    } finally {
      // Closing a connection rolls back what it has not committed.
      result?.close();
      await connection.close();
    }
  }

  /** Returns the next rows of a stream; the last call ends it. */
  async next(ask: Calls['next']['ask']): Promise<RowChunk> {
    const stream = this.#streams.get(ask.stream);
    if (stream === undefined) return { rows: [], done: true };
    try {
      const rows = readRows(stream, ask.rows);
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

function castConverter(type: string, isText: boolean): Converter {
  if (!isText) return converterFor(type);
  if (/^U?INT\d+$/.test(type)) return (value) => (value === null ? null : wholeNumber(String(value)));
  if (type.startsWith('TIMESTAMP')) return (value) => (value === null ? null : timestampFromText(String(value)));
  return converterFor(type);
}

function wholeNumber(digits: string): GraphValue {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits);
}

/** The engine writes `2026-01-31 08:00:00.123456`, with an offset only for zoned types, which are in UTC. */
function timestampFromText(text: string): GraphValue {
  return { valueKind: 'timestamp', text: `${text.replace(' ', 'T').replace(/(Z|[+-]\d\d(:?\d\d)?)$/, '')}Z` };
}

function readRows(stream: OpenStream, maxRows: number): ResultRow[] {
  const { result, names, converters } = stream;
  const rows: ResultRow[] = [];
  while (rows.length < maxRows && result.hasNext()) {
    const raw = result.getNextSync();
    if (raw === null) break;
    const row: GraphValue[] = new Array(names.length);
    for (let index = 0; index < names.length; index += 1) {
      // Both lists have one entry a column, so neither look-up can miss.
      row[index] = (converters[index] as Converter)(raw[names[index] as string]);
    }
    rows.push(row);
  }
  return rows;
}

/**
 * The binding converts INT64 and DECIMAL to JavaScript numbers and instants to milliseconds. Finds the columns that
 * lose digits before the first row is sent, so that the statement can run again with these columns as text.
 */
async function inexactColumns(
  result: QueryResult,
  names: readonly string[],
  types: readonly string[],
  casts: Readonly<Record<number, string>>,
): Promise<number[]> {
  const inexact = new Set<number>();
  const numbers: number[] = [];
  types.forEach((type, index) => {
    if (casts[index] !== undefined) return;
    if (needsText(type)) inexact.add(index);
    if (type === 'INT64' || type === 'UINT64') numbers.push(index);
  });
  if (numbers.length === 0) return [...inexact];
  for (let seen = 1; seen <= maxScanRows && result.hasNext(); seen += 1) {
    const row = result.getNextSync();
    for (const index of numbers) {
      const value = row?.[names[index] as string]; // `numbers` holds indexes of `names`.
      if (typeof value === 'number' && !Number.isSafeInteger(value)) inexact.add(index);
    }
    if (seen % scanRowsPerTurn === 0) await turn();
  }
  result.resetIterator();
  return [...inexact];
}
