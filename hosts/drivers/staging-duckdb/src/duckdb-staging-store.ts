import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AnalyticalNode,
  type AnalyticalRow,
  maskStatement,
  type RowBatches,
  type SourceTable,
  type SqlAnswer,
  type SqlOptions,
  type SqlParameters,
  type StagedFile,
  type StagedRelationship,
  type StagedTable,
  type StagedTableState,
  type StageReport,
  StagingError,
  type StagingStore,
} from '@pacioli/core/ports';
import { WorkerProcess } from '@pacioli/worker-process';
import { GraphTurns } from './graph-turns.ts';
import type { Calls, Failure, WorkerTable } from './protocol.ts';

export interface DuckdbStagingOptions {
  /** Where the databases live; nothing else writes there. */
  readonly folder: string;
  /** A worker process above this size is killed, and its statements fail. */
  readonly maxMemoryBytes?: number;
  readonly threads?: number;
  /** Worker processes at once; further calls wait. */
  readonly maxProcesses?: number;
  /** A worker that only reads is kept this long for the next statement. */
  readonly maxIdleMs?: number;
}

const mebibyte = 2 ** 20;

const defaults = { maxMemoryBytes: 1024 * mebibyte, threads: 2, maxProcesses: 8, maxIdleMs: 60_000 };

/** Only ids that match may become file names, so no other text can touch the file system (graphs I-1). */
const graphIdPattern = /^[a-zA-Z0-9_]{1,64}$/;

/** The engine's own share of the memory of its process. */
const engineShare = 0.5;

type Worker = WorkerProcess<Calls>;

/** Rows staged in one DuckDB file for each graph, each opened by a process of its own. */
export function duckdbStagingStore(options: DuckdbStagingOptions): StagingStore {
  return new DuckdbStagingStore({ ...defaults, ...options });
}

class DuckdbStagingStore implements StagingStore {
  readonly driver = 'duckdb';
  readonly #settings: Required<DuckdbStagingOptions>;
  readonly #turns: GraphTurns;
  readonly #readers = new Map<
    string,
    { readonly worker: Promise<Worker>; timer: NodeJS.Timeout | undefined; running: number }
  >();
  #queries = 0;

  constructor(settings: Required<DuckdbStagingOptions>) {
    this.#settings = settings;
    this.#turns = new GraphTurns(settings.maxProcesses);
  }

  stage(graphId: string, table: StagedTable, file: StagedFile, signal: AbortSignal): Promise<StageReport> {
    return this.#asWriter(graphId, (worker) => {
      if (signal.aborted) throw new StagingError('cancelled', 'Staging was cancelled.');
      return worker.call('stage', { table: workerTable(table), file });
    });
  }

  async unstage(
    graphId: string,
    table: StagedTable,
    fileId: string,
  ): Promise<{ readonly removedRows: number; readonly tableRows: number }> {
    if (!existsSync(this.#path(graphId))) return { removedRows: 0, tableRows: 0 };
    return this.#asWriter(graphId, (worker) => worker.call('unstage', { table: workerTable(table), fileId }));
  }

  async check(graphId: string, tables: readonly StagedTable[]): Promise<readonly StagedTableState[]> {
    if (!existsSync(this.#path(graphId))) return tables.map(({ name }) => ({ name, rows: 0, dangling: [] }));
    return this.#asWriter(graphId, (worker) => worker.call('check', { tables: tables.map(workerTable) }));
  }

  async withParquet<T>(
    graphId: string,
    table: AnalyticalNode | StagedRelationship,
    work: (path: string) => Promise<T>,
  ): Promise<T> {
    const path = `${this.#path(graphId)}.export.parquet`;
    try {
      await this.#asWriter(graphId, (worker) => worker.call('parquet', { table: workerTable(table), path }));
      return await work(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  withRows<T>(
    graphId: string,
    table: AnalyticalNode | StagedRelationship,
    work: (batches: RowBatches<AnalyticalRow>) => Promise<T>,
  ): Promise<T> {
    // From a copy of the table, so that staging other files does not wait for the graph engine.
    return this.withParquet(graphId, table, (path) =>
      this.#inMemory(graphId, async (worker) => {
        await worker.call('readParquet', { path, columns: table.columns });
        return work(rowBatches(worker, table));
      }),
    );
  }

  async query(
    graphId: string,
    tables: readonly StagedTable[],
    text: string,
    parameters: SqlParameters,
    options: SqlOptions,
  ): Promise<SqlAnswer> {
    const empty = tables.map((table) => ({ name: table.name, columns: workerTable(table).columns }));
    if (!existsSync(this.#path(graphId))) {
      return this.#inMemory(graphId, (worker) => this.#ask(worker, { text, parameters, empty }, options));
    }
    return this.#asReader(graphId, (worker) => this.#ask(worker, { text, parameters, empty }, options));
  }

  queryRows(
    graphId: string,
    tables: readonly SourceTable[],
    text: string,
    parameters: SqlParameters,
    options: SqlOptions,
  ): Promise<SqlAnswer> {
    return this.#inMemory(graphId, async (worker) => {
      const named = new Set((await worker.call('names', { text })).map((name) => name.toLowerCase()));
      for (const table of tables.filter(({ name }) => named.has(name.toLowerCase()))) {
        const { name, columns } = table;
        await worker.call('source', { name, columns });
        for await (const batch of table.rows()) {
          if (options.signal.aborted) throw new StagingError('cancelled', 'The query was cancelled.');
          await worker.call('sourceRows', { rows: batch.length, columns: byColumn(table, batch) });
        }
      }
      const empty = tables
        .filter(({ name }) => !named.has(name.toLowerCase()))
        .map(({ name, columns }) => ({ name, columns }));
      return this.#ask(worker, { text, parameters, empty }, options);
    });
  }

  async drop(graphId: string): Promise<void> {
    const path = this.#path(graphId);
    await this.#turns.alone(graphId, async () => {
      await this.#closeReader(graphId);
      for (const end of ['', '.wal', '.tmp', '.export.parquet'])
        await rm(`${path}${end}`, { recursive: true, force: true });
    });
  }

  async sizes(graphId?: string): Promise<readonly { readonly graphId: string; readonly size_bytes: number }[]> {
    const { folder } = this.#settings;
    if (graphId !== undefined) this.#path(graphId);
    const names = existsSync(folder) ? await readdir(folder) : [];
    const sizes = new Map<string, number>();
    for (const name of names.sort()) {
      const owner = /^([a-zA-Z0-9_]+)\.duckdb(?:\.wal)?$/.exec(name)?.[1];
      if (owner === undefined || (graphId !== undefined && owner !== graphId)) continue;
      const bytes = await stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0, // Removed during the scan.
      );
      sizes.set(owner, (sizes.get(owner) ?? 0) + bytes);
    }
    return [...sizes].map(([id, sizeBytes]) => ({ graphId: id, size_bytes: sizeBytes }));
  }

  async close(): Promise<void> {
    for (const graphId of [...this.#readers.keys()]) await this.#closeReader(graphId);
  }

  /** Opens the database for writing, alone: the engine locks its file. */
  #asWriter<T>(graphId: string, work: (worker: Worker) => Promise<T>): Promise<T> {
    const path = this.#path(graphId);
    return this.#turns.alone(graphId, async () => {
      await this.#closeReader(graphId);
      await mkdir(this.#settings.folder, { recursive: true, mode: 0o700 });
      return this.#with(await this.#start(graphId, path, 'write'), work);
    });
  }

  /** Shares one reading process between the statements of a graph. */
  #asReader<T>(graphId: string, work: (worker: Worker) => Promise<T>): Promise<T> {
    return this.#turns.together(graphId, async () => {
      let reader = this.#readers.get(graphId);
      if (
        reader === undefined ||
        !(await reader.worker.then(
          ({ isAlive }) => isAlive,
          () => false,
        ))
      ) {
        reader = { worker: this.#start(graphId, this.#path(graphId), 'read'), timer: undefined, running: 0 };
        this.#readers.set(graphId, reader);
      }
      clearTimeout(reader.timer);
      reader.running += 1;
      try {
        return await work(await reader.worker);
      } finally {
        reader.running -= 1;
        if (reader.running === 0) {
          reader.timer = setTimeout(
            () => void this.#turns.alone(graphId, () => this.#closeReader(graphId)),
            this.#settings.maxIdleMs,
          );
          reader.timer.unref();
        }
      }
    });
  }

  async #inMemory<T>(graphId: string, work: (worker: Worker) => Promise<T>): Promise<T> {
    this.#path(graphId);
    return this.#turns.together(graphId, async () => this.#with(await this.#start(graphId, null, 'write'), work));
  }

  async #with<T>(worker: Worker, work: (worker: Worker) => Promise<T>): Promise<T> {
    try {
      return await work(worker);
    } finally {
      await worker.close().catch(() => undefined); // It may have been killed, which its call has reported.
    }
  }

  async #start(graphId: string, path: string | null, mode: 'read' | 'write'): Promise<Worker> {
    const { maxMemoryBytes, threads } = this.#settings;
    const worker: Worker = new WorkerProcess<Calls>({
      near: import.meta.url,
      maxMemoryBytes,
      mappedBytes: 0,
      errors: {
        stopped: (message, cause) => new StagingError('unavailable', message, { cause }),
        memory: () =>
          new StagingError('memory', 'This needs more memory than is allowed: stage or request less at once.'),
        failed: (failure) => errorOf(failure as Failure), // The worker's `failureOf` wrote it.
      },
    });
    const temporaryFolder = `${this.#path(graphId)}.tmp`;
    const engineBytes = Math.floor(maxMemoryBytes * engineShare);
    try {
      await worker.call('open', { path, mode, maxMemoryBytes: engineBytes, threads, temporaryFolder });
      return worker;
    } catch (error) {
      worker.kill(new StagingError('unavailable', 'The staged rows cannot be opened.', { cause: error }));
      throw error;
    }
  }

  async #closeReader(graphId: string): Promise<void> {
    const reader = this.#readers.get(graphId);
    this.#readers.delete(graphId);
    clearTimeout(reader?.timer);
    await reader?.worker.then(
      (worker) => worker.close().catch(() => undefined), // Dead already.
      () => undefined,
    );
  }

  async #ask(
    worker: Worker,
    statement: Pick<Calls['query']['ask'], 'text' | 'parameters' | 'empty'>,
    { timeoutMs, maxRows, signal }: SqlOptions,
  ): Promise<SqlAnswer> {
    requireOneKind(statement.text, statement.parameters);
    if (signal.aborted) throw new StagingError('cancelled', 'The query was cancelled.');
    const id = ++this.#queries;
    const stop = (): void => void worker.call('interrupt', { id }).catch(() => undefined); // Dead already.
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await worker.call('query', { id, ...statement, timeoutMs, maxRows });
    } catch (error) {
      if (signal.aborted) throw new StagingError('cancelled', 'The query was cancelled.', { cause: error });
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  #path(graphId: string): string {
    if (!graphIdPattern.test(graphId)) throw new StagingError('unavailable', 'This is not the id of a graph.');
    return join(this.#settings.folder, `${graphId}.duckdb`);
  }
}

function workerTable(table: StagedTable): WorkerTable {
  const columns = table.columns.map(({ name, type, isRequired = false }) => ({ name, type, isRequired }));
  if (table.kind === 'node') return { kind: 'node', name: table.name, key: table.key, columns, ends: [] };
  const [from, to, ...properties] = columns;
  if (from === undefined || to === undefined) throw new Error('A relationship has the keys of its ends as columns.');
  return {
    kind: 'relationship',
    name: table.name,
    key: '',
    columns: [{ ...from, name: 'src', isRequired: true }, { ...to, name: 'dst', isRequired: true }, ...properties],
    ends: [
      { end: 'from', node: table.fromNode.name, key: table.fromNode.key },
      { end: 'to', node: table.toNode.name, key: table.toNode.key },
    ],
  };
}

function byColumn({ columns }: SourceTable, batch: readonly AnalyticalRow[]): unknown[][] {
  return columns.map(({ name }) => batch.map((row) => row[name]));
}

async function* rowBatches(worker: Worker, { columns }: StagedTable): AsyncGenerator<readonly AnalyticalRow[]> {
  for (;;) {
    const rows = await worker.call('nextRows', null);
    if (rows.length === 0) return;
    // Columns of other types than these are refused when the graph is created.
    yield rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])) as AnalyticalRow);
  }
}

/** A list goes with `?` or `$1`, values by name with `$name` (graphs SQ-3). */
function requireOneKind(text: string, parameters: SqlParameters): void {
  const { text: masked } = maskStatement(text);
  const isNamed = /\$[A-Za-z_]/.test(masked);
  const isNumbered = /\?|\$\d/.test(masked);
  if (isNamed && isNumbered)
    throw new StagingError('parameter', 'Use either $name, or ? and $1, not both in one statement.');
  if (isNamed && Array.isArray(parameters))
    throw new StagingError('parameter', 'The statement names its parameters: send them as an object.');
  if (isNumbered && !Array.isArray(parameters))
    throw new StagingError('parameter', 'The statement numbers its parameters: send them as a list.');
}

function errorOf({ code, message, faults, detail }: Failure): StagingError {
  return new StagingError(code, message, { faults, cause: detail === undefined ? undefined : new Error(detail) });
}
