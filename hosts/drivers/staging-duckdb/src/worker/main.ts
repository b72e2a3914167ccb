import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { answerCalls } from '@pacioli/worker-process/worker';
import type { Calls } from '../protocol.ts';
import { failureOf, WorkerFailure } from './failure.ts';
import { ParquetRows } from './parquet-rows.ts';
import { Queries } from './query.ts';
import { Sources } from './source.ts';
import { Staging } from './staging.ts';

interface Opened {
  readonly instance: DuckDBInstance;
  readonly connection: DuckDBConnection;
  readonly staging: Staging;
  readonly sources: Sources;
  readonly queries: Queries;
  readonly rows: ParquetRows;
  isLocked: boolean;
}

let opened: Opened | undefined;

async function open(ask: Calls['open']['ask']): Promise<null> {
  const instance = await DuckDBInstance.create(ask.path ?? ':memory:', {
    access_mode: ask.path !== null && ask.mode === 'read' ? 'READ_ONLY' : 'AUTOMATIC',
    memory_limit: `${Math.floor(ask.maxMemoryBytes / 1_000_000)}MB`,
    threads: String(ask.threads),
    temp_directory: ask.temporaryFolder,
    // Of the kinds of external access, staging needs reading files; extensions are never loaded.
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  opened = {
    instance,
    connection,
    staging: new Staging(connection),
    sources: new Sources(connection),
    queries: new Queries(instance),
    rows: new ParquetRows(connection),
    isLocked: false,
  };
  return null;
}

function current(): Opened {
  if (opened === undefined) throw new WorkerFailure('unavailable', 'No database is open in this worker.');
  return opened;
}

/** Before the first statement of a caller, for good: no files, network, extensions, or settings (graphs SQ-2). */
async function locked(): Promise<Opened> {
  const state = current();
  if (!state.isLocked) {
    await state.connection.run('SET enable_external_access = false');
    await state.connection.run('SET lock_configuration = true');
    state.isLocked = true;
  }
  return state;
}

/** A worker process: one database, no settings except its parent's. It exits with its parent. */
answerCalls<Calls>(
  {
    open,
    stage: (ask) => current().staging.stage(ask),
    unstage: (ask) => current().staging.unstage(ask),
    check: ({ tables }) => current().staging.check(tables),
    parquet: (ask) => current().staging.parquet(ask),
    readParquet: (ask) => current().rows.start(ask),
    nextRows: () => current().rows.next(),
    names: async ({ text }) => current().connection.getTableNames(text, false),
    source: (ask) => current().sources.define(ask),
    sourceRows: (ask) => current().sources.rows(ask),
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
