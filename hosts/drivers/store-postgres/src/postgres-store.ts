import { parseUrl, type Store, StoreError } from '@pacioli/core/ports';
import pg from 'pg';
import { applicationRole, type Connections, defaults } from './connections.ts';
import { ListenConnection } from './listen-connection.ts';
import { toStoreError } from './store-error.ts';
import { StoreOverPool } from './store-over-pool.ts';
import { typeParsers } from './type-parsers.ts';

const maxConnectionsDefault = 16;
const maxConnectionWaitMs = 10_000;
const minServerVersion = 150_000;

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`; the user owns the tables. */
  readonly url: string;
  /** The most transactions that run at once in this process (16 by default). */
  readonly maxConnections?: number;
  /** The longest that one statement may take unless its transaction sets another limit (30,000 ms). */
  readonly maxStatementMs?: number;
  /** The longest that a statement waits for a row or table that another transaction holds (5,000 ms). */
  readonly maxLockMs?: number;
  /** The longest wait of a transaction for a free connection, or of a connection for the server (10,000 ms). */
  readonly maxConnectionWaitMs?: number;
}

/**
 * A store on a PostgreSQL server, version 15 or later. Connects once to check; throws a StoreError with instructions
 * when the server does not answer, rejects the user, or is too old.
 */
export async function postgresStore(options: PostgresStoreOptions): Promise<Store> {
  const connections = serverConnections(options);
  try {
    await connections.asOwner(checkVersion);
  } catch (error) {
    await connections.close();
    throw toStoreError(error);
  }
  return new StoreOverPool(connections);
}

function serverConnections(options: PostgresStoreOptions): Connections {
  const maxStatementMs = options.maxStatementMs ?? defaults.maxStatementMs;
  const application = { connectionString: applicationUrl(options), types: typeParsers };
  const pool = new pg.Pool({
    ...application,
    max: options.maxConnections ?? maxConnectionsDefault,
    connectionTimeoutMillis: options.maxConnectionWaitMs ?? maxConnectionWaitMs,
    keepAlive: true,
    pipeline: true,
  });
  // A session that breaks while idle is replaced; one that breaks in use rejects its statement.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const listening = new ListenConnection(() => new pg.Client({ ...application, keepAlive: true }));
  return {
    driver: 'postgres',
    hasOwnUpkeep: true,
    pipelines: true,
    pool,
    maxStatementMs,
    limitStatements: (_client, limitMs) =>
      limitMs === maxStatementMs ? '' : `SET LOCAL statement_timeout=${limitMs};`,
    release: (client, isBroken) => client.release(isBroken),
    asOwner: (work) => withOwner(options.url, work),
    listen: (channel, wake) => listening.listen(channel, wake),
    async close() {
      await Promise.allSettled([listening.close(), pool.end()]);
    },
  };
}

/**
 * Returns the URL with the session's settings as startup options, which RESET restores: `RESET ROLE` cannot return to
 * the owner of the tables, and the settings cost no round trip.
 */
function applicationUrl(options: PostgresStoreOptions): string {
  const url = databaseUrl(options.url);
  const settings = [
    `role=${applicationRole}`,
    `statement_timeout=${options.maxStatementMs ?? defaults.maxStatementMs}`,
    `lock_timeout=${options.maxLockMs ?? defaults.maxLockMs}`,
    `idle_in_transaction_session_timeout=${defaults.maxIdleInTransactionMs}`,
  ];
  const own = settings.map((setting) => `-c ${setting}`).join(' ');
  const given = url.searchParams.get('options');
  url.searchParams.set('options', given === null ? own : `${given} ${own}`);
  return url.href;
}

function databaseUrl(text: string): URL {
  const url = parseUrl(text);
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new StoreError('unreachable', 'The database URL must look like postgres://user:password@host:5432/database.');
  }
  return url;
}

async function withOwner<T>(url: string, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: maxConnectionWaitMs,
    types: typeParsers,
  });
  // A lost connection rejects the running statement; without a listener the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function checkVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  const version = rows[0]?.version ?? 0;
  if (version < minServerVersion) {
    throw new StoreError('unreachable', 'The PostgreSQL server is too old. Use version 15 or later.');
  }
}
