import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type AnalyticalNode,
  type AnalyticalRow,
  type ResultRow,
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
  type UnrecordedFile,
} from '@pacioli/core/ports';
import { type DatabaseSize, databaseSizes } from './database-sizes.ts';
import { EngineProcesses, type Worker } from './engine-processes.ts';
import { GraphReadWriteLock } from './graph-read-write-lock.ts';
import { openFolder } from './open-folder.ts';
import { checkParquet, readParquet, writeParquet } from './parquet-files.ts';
import type { Calls } from './protocol.ts';
import { TimeLimit } from './time-limit.ts';
import { byColumn, requireOneKind, workerTable } from './worker-table.ts';

export interface DuckdbStagingOptions {
  /** Where the databases live; nothing else writes there. */
  readonly folder: string;
  /** A worker process above this size is killed, and its statements fail. */
  readonly maxMemoryBytes?: number;
  readonly threads?: number;
  /** Worker processes at once, with those that wait for a next statement; further calls wait. */
  readonly maxProcesses?: number;
  /** A worker that only reads is kept this long for the next statement. */
  readonly maxIdleMs?: number;
}

/** Of the rows of every staged table (graphs T-4). */
const fileColumn = { name: '_file_id', type: 'STRING' } as const;
const mebibyte = 2 ** 20;

const defaults = { maxMemoryBytes: 1024 * mebibyte, threads: 2, maxProcesses: 8, maxIdleMs: 60_000 };

/** Only ids that match may become file names, so no other text can touch the file system (graphs I-1). */
const graphIdPattern = /^[a-zA-Z0-9_]{1,64}$/;

/** What one answer holds at most, as JSON (graphs L-6). */
const maxAnswerBytes = 50_000_000;

/** Rows staged in one DuckDB file for each graph, each opened by a process of its own. */
export function duckdbStagingStore(options: DuckdbStagingOptions): StagingStore {
  return new DuckdbStagingStore({ ...defaults, ...options });
}

class DuckdbStagingStore implements StagingStore {
  readonly driver = 'duckdb';
  readonly #folder: string;
  readonly #locks = new GraphReadWriteLock();
  readonly #processes: EngineProcesses;
  #prepared: Promise<void> | undefined;
  #queries = 0;

  constructor(settings: Required<DuckdbStagingOptions>) {
    this.#folder = settings.folder;
    this.#processes = new EngineProcesses(settings);
  }

  async withUpload<T>(work: (path: string) => Promise<T>): Promise<T> {
    await this.#prepare();
    const path = join(this.#folder, `upload-${randomUUID()}`);
    try {
      return await work(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  stage(
    graphId: string,
    table: StagedTable,
    file: StagedFile,
    signal: AbortSignal,
    record: (report: StageReport) => Promise<boolean> = async () => true,
  ): Promise<StageReport> {
    return this.#asWriter(graphId, async (worker) => {
      if (signal.aborted) throw new StagingError('cancelled', 'Staging was cancelled.');
      const report = await worker.call('stage', { table: workerTable(table), file });
      // The file of the database is locked until its rows have a record, and they keep their mark without one.
      if (await record(report)) await worker.call('recorded', { fileId: file.id });
      else await worker.call('unstage', { table: workerTable(table), fileId: file.id });
      return report;
    });
  }

  async settle(
    graphId: string,
    tables: readonly StagedTable[],
    isKept: (file: UnrecordedFile) => Promise<boolean>,
  ): Promise<void> {
    if (!existsSync(this.#path(graphId))) return;
    const settle = async (worker: Worker): Promise<void> => {
      for (const file of await worker.call('unrecorded', null)) {
        const table = tables.find(({ name }) => name === file.table);
        const isRemoved = !(await isKept(file)) && table !== undefined;
        if (isRemoved) await worker.call('unstage', { table: workerTable(table), fileId: file.id });
        else await worker.call('recorded', { fileId: file.id });
      }
    };
    await this.#asWriter(graphId, settle, 'settle');
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
    // Two builds of a graph may write the same table at once.
    const path = `${this.#path(graphId)}.export-${randomUUID()}.parquet`;
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
    const { signal } = new AbortController();
    return this.withParquet(graphId, table, (path) =>
      readParquet(this.#processes, { graphId, path, columns: table.columns, signal }, work),
    );
  }

  writeParquet(
    path: string,
    columns: SourceTable['columns'],
    batches: AsyncIterable<readonly ResultRow[]>,
    signal: AbortSignal,
  ): Promise<number> {
    return this.withUpload((database) => writeParquet(this.#processes, database, { path, columns, batches, signal }));
  }

  checkParquet(path: string, columns: SourceTable['columns'], signal: AbortSignal): Promise<void> {
    return checkParquet(this.#processes, { path, columns, signal });
  }

  readParquet<T>(
    path: string,
    columns: SourceTable['columns'],
    work: (batches: RowBatches<AnalyticalRow>) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    return readParquet(this.#processes, { graphId: basename(path), path, columns, signal }, work);
  }

  async query(
    graphId: string,
    tables: readonly StagedTable[],
    text: string,
    parameters: SqlParameters,
    options: SqlOptions,
  ): Promise<SqlAnswer> {
    const path = this.#path(graphId);
    const empty = tables.map((table) => ({ name: table.name, columns: [...workerTable(table).columns, fileColumn] }));
    return this.#limited(graphId, options, (limit) => {
      const ask = (worker: Worker) => this.#ask(worker, { text, parameters, empty }, options, limit);
      if (!existsSync(path)) return this.#processes.inMemory(graphId, ask, limit.signal);
      return this.#processes.read(graphId, path, ask);
    });
  }

  async queryRows(
    graphId: string,
    tables: readonly SourceTable[],
    text: string,
    parameters: SqlParameters,
    options: SqlOptions,
  ): Promise<SqlAnswer> {
    this.#path(graphId);
    return this.#limited(graphId, options, (limit) =>
      this.#processes.inMemory(
        graphId,
        async (worker) => {
          const named = new Set((await worker.call('names', { text })).map((name) => name.toLowerCase()));
          for (const table of tables.filter(({ name }) => named.has(name.toLowerCase()))) {
            const { name, columns } = table;
            await worker.call('source', { name, columns });
            for await (const batch of table.rows()) {
              limit.remainingMs();
              await worker.call('sourceRows', { rows: batch.length, columns: byColumn(table, batch) });
            }
          }
          const empty = tables
            .filter(({ name }) => !named.has(name.toLowerCase()))
            .map(({ name, columns }) => ({ name, columns }));
          return this.#ask(worker, { text, parameters, empty }, options, limit);
        },
        limit.signal,
      ),
    );
  }

  async drop(graphId: string): Promise<void> {
    const path = this.#path(graphId);
    await this.#locks.exclusive(graphId, async () => {
      await this.#processes.closeReader(graphId);
      for (const end of ['', '.wal', '.tmp']) await rm(`${path}${end}`, { recursive: true, force: true });
    });
  }

  async sizes(graphId?: string): Promise<readonly DatabaseSize[]> {
    if (graphId !== undefined) this.#path(graphId);
    return databaseSizes(this.#folder, graphId);
  }

  close(): Promise<void> {
    return this.#processes.closeAll();
  }

  /** Opens the database for writing, alone: the engine locks its file. */
  #asWriter<T>(graphId: string, work: (worker: Worker) => Promise<T>, mode?: 'settle'): Promise<T> {
    const path = this.#path(graphId);
    return this.#locks.exclusive(graphId, async () => {
      await this.#prepare();
      return this.#processes.write(graphId, path, work, mode);
    });
  }

  /** Lets statements of one graph run together, each within one limit from here on. */
  #limited<T>(graphId: string, options: SqlOptions, work: (limit: TimeLimit) => Promise<T>): Promise<T> {
    const limit = new TimeLimit(options.timeoutMs, options.signal);
    return limit.run(() =>
      this.#locks.shared(graphId, async () => {
        limit.remainingMs();
        return work(limit);
      }),
    );
  }

  async #ask(
    worker: Worker,
    statement: Pick<Calls['query']['ask'], 'text' | 'parameters' | 'empty'>,
    { maxRows, maxBytes = maxAnswerBytes }: SqlOptions,
    limit: TimeLimit,
  ): Promise<SqlAnswer> {
    requireOneKind(statement.text, statement.parameters);
    const timeoutMs = limit.remainingMs();
    const id = ++this.#queries;
    const stop = (): void => void worker.call('interrupt', { id }).catch(() => undefined); // Dead already.
    limit.signal.addEventListener('abort', stop, { once: true });
    try {
      return await worker.call('query', { id, ...statement, timeoutMs, maxRows, maxBytes });
    } finally {
      limit.signal.removeEventListener('abort', stop);
    }
  }

  #prepare(): Promise<void> {
    this.#prepared ??= openFolder(this.#folder).catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  #path(graphId: string): string {
    if (!graphIdPattern.test(graphId)) throw new StagingError('unavailable', 'This is not the id of a graph.');
    return join(this.#folder, `${graphId}.duckdb`);
  }
}
