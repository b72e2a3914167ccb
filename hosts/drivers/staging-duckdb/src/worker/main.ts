import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { answerCalls } from '@pacioli/worker-process/worker';
import type { Calls } from '../protocol.ts';
import { hasEarlierForm, renameInternalColumns } from './earlier-form.ts';
import { keepByteOrderMarks } from './exact-texts.ts';
import { failureOf, WorkerFailure } from './failure.ts';
import { lockDown } from './lock-down.ts';
import { ParquetRows } from './parquet-rows.ts';
import { Queries } from './query.ts';
import { Sources } from './source.ts';
import { Staging } from './staging.ts';
import { endMark, unrecordedFiles } from './unrecorded-files.ts';

interface Opened {
  readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  readonly staging: Staging;
  readonly sources: Sources;
  readonly queries: Queries;
  readonly rows: ParquetRows;
  lock: Promise<void> | undefined;
}

let opened: Opened | undefined;

async function open(ask: Calls['open']['ask']): Promise<null> {
  const isRead = ask.path !== null && ask.mode === 'read';
  const isSettled = ask.path === null || ask.mode === 'settle';
  let { instance, connection } = await connected(ask, isRead);
  if (ask.path !== null && (await hasEarlierForm(connection))) {
    if (isRead) {
      connection.closeSync();
      instance.closeSync();
      ({ instance, connection } = await connected(ask, false));
    }
    await renameInternalColumns(connection);
    if (isRead) {
      connection.closeSync();
      instance.closeSync();
      ({ instance, connection } = await connected(ask, true));
    }
  }
  if (!isSettled && (await unrecordedFiles(connection)).length > 0) {
    connection.closeSync();
    instance.closeSync();
    throw new WorkerFailure('unrecorded', 'Rows of a file that was being staged are not settled: try it again.');
  }
  opened = {
    instance,
    connection,
    staging: new Staging(connection),
    sources: new Sources(connection),
    queries: new Queries(instance),
    rows: new ParquetRows(connection),
    lock: undefined,
  };
  return null;
}

async function connected(
  ask: Calls['open']['ask'],
  isReadOnly: boolean,
): Promise<{ instance: DuckDBInstance; connection: DuckDBConnection }> {
  const instance = await DuckDBInstance.create(ask.path ?? ':memory:', {
    access_mode: isReadOnly ? 'READ_ONLY' : 'AUTOMATIC',
    memory_limit: `${Math.floor(ask.maxMemoryBytes / 1_000_000)}MB`,
    threads: String(ask.threads),
    // A process that runs statements of callers can open no file at all, so it has no place for what exceeds its memory.
    temp_directory: ask.mode === 'read' ? '' : (ask.temporaryFolder ?? ''),
    // Of the kinds of external access, staging needs reading files; extensions are never loaded.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  return { instance, connection: await instance.connect() };
}

function current(): Opened {
  if (opened === undefined) throw new WorkerFailure('unavailable', 'No database is open in this worker.');
  return opened;
}

/** Before the first statement of a caller, and for good. */
async function locked(): Promise<Opened> {
  const state = current();
  state.lock ??= lockDown(state.connection);
  await state.lock;
  return state;
}

keepByteOrderMarks();
/** A worker process: one database, no settings except its parent's. It exits with its parent. */
answerCalls<Calls>(
  {
    open,
    stage: (ask) => current().staging.stage(ask),
    async recorded({ fileId }) {
      await endMark(current().connection, fileId);
      return null;
    },
    unrecorded: () => unrecordedFiles(current().connection),
    unstage: (ask) => current().staging.unstage(ask),
    check: ({ tables }) => current().staging.check(tables),
    parquet: (ask) => current().staging.parquet(ask),
    checkParquet: (ask) => current().rows.check(ask),
    readParquet: (ask) => current().rows.start(ask),
    nextRows: () => current().rows.next(),
    names: async ({ text }) => current().connection.getTableNames(text, false),
    source: (ask) => current().sources.define(ask),
    sourceRows: (ask) => current().sources.rows(ask),
    writeParquet: (ask) => current().sources.parquet(ask),
    query: async (ask) => (await locked()).queries.query(ask),
    async interrupt({ id }) {
      current().queries.interrupt(id);
      return null;
    },
    async close() {
      opened?.connection.closeSync();
      opened?.instance.closeSync();
      return null;
    },
  },
  failureOf,
);
