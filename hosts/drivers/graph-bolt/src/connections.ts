import { setTimeout as sleep } from 'node:timers/promises';
import { GraphStoreError } from '@pacioli/core/ports';
import neo4j, { type Driver, type Session } from 'neo4j-driver';
import type { BoltDatabase, Settings } from './options.ts';

/** The database that a server has without being told a name. */
const standardDatabase = 'neo4j';

/** Retries only cover collisions of short transactions: a server that does not answer is reported at once. */
const maxRetryMs = 1_000;

/** A session that is not closed by then has a statement that the server does not stop. */
const maxClosingMs = 1_000;

/** The connections to one server. */
interface Pool {
  readonly driver: Driver;
  readonly sessions: Set<Session>;
  /** True if one of its connections does not close; new sessions then use another pool. */
  isRetired: boolean;
}

/** Routing (`neo4j://`) is not supported: a read could reach a member that does not have the newest claim yet. */
const urlPattern = /^bolt(?:\+s|\+ssc)?:\/\/[^/?#@\s]+\/?$/;

/** Connections to the servers: one pool for each, opened when it is first used. */
export class Connections {
  readonly #settings: Settings;
  readonly #databases: ReadonlyMap<string, Required<BoltDatabase>>;
  readonly #pools = new Map<string, Pool>();
  readonly #open = new Map<Session, Pool>();

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#databases = new Map(settings.databases.map((given) => [addressOf(given), whole(given)]));
    if (this.#databases.size < settings.databases.length)
      throw new Error('A database for graphs is listed twice: each holds one graph.');
  }

  /** The configured databases by their address. */
  get addresses(): readonly string[] {
    return [...this.#databases.keys()];
  }

  /** The name of a database on its server. */
  nameOf(address: string): string {
    return this.#databases.get(address)?.database ?? standardDatabase;
  }

  /** A session for one transaction. The caller closes it, which also stops what is running in it. */
  session(address: string, access: 'read' | 'write', fetchRows = 1_000): Session {
    const database = this.#databases.get(address);
    if (database === undefined)
      throw new GraphStoreError('unavailable', 'The database of this graph is not in the settings of the service.');
    const pool = this.#pool(database.url);
    const session = pool.driver.session({
      database: database.database,
      defaultAccessMode: access === 'read' ? neo4j.session.READ : neo4j.session.WRITE,
      fetchSize: fetchRows,
    });
    pool.sessions.add(session);
    this.#open.set(session, pool);
    return session;
  }

  /** Closes a session, and stops its statement if one is running. A lost connection has nothing left to close. */
  async end(session: Session): Promise<void> {
    const pool = this.#open.get(session);
    this.#open.delete(session);
    const closed = session.close().then(
      () => true,
      () => true,
    );
    const isClosed = await Promise.race([closed, sleep(maxClosingMs, false, { ref: false })]);
    if (pool === undefined) return;
    pool.sessions.delete(session);
    if (!isClosed) this.#retire(pool);
    if (pool.isRetired && pool.sessions.size === 0) void pool.driver.close().catch(() => undefined);
  }

  /**
   * Retires a pool with a connection on which the server evaluates one long expression: it neither stops nor answers until
   * the end of the expression. A driver cannot close one connection alone, so new sessions get a new pool, and this one is
   * closed when its other sessions have ended.
   */
  #retire(pool: Pool): void {
    pool.isRetired = true;
    for (const [url, current] of this.#pools) if (current === pool) this.#pools.delete(url);
  }

  async isReachable(): Promise<boolean> {
    const urls = new Set([...this.#databases.values()].map(({ url }) => url));
    const found = await Promise.all(
      [...urls].map((url) =>
        this.#pool(url)
          .driver.getServerInfo()
          .then(
            () => true,
            () => false,
          ),
      ),
    );
    return found.every((isFound) => isFound);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((session) => this.end(session)));
    await Promise.allSettled([...this.#pools.values()].map(({ driver }) => driver.close()));
    this.#pools.clear();
  }

  #pool(url: string): Pool {
    const known = this.#pools.get(url);
    if (known !== undefined) return known;
    const { credentials, maxConnectMs, maxConnectionsPerServer } = this.#settings;
    const auth = credentials === undefined ? undefined : neo4j.auth.basic(credentials.user, credentials.password);
    const driver = neo4j.driver(url, auth, {
      useBigInt: true,
      maxConnectionPoolSize: maxConnectionsPerServer,
      connectionAcquisitionTimeout: maxConnectMs,
      connectionTimeout: maxConnectMs,
      maxTransactionRetryTime: maxRetryMs,
      notificationFilter: { minimumSeverityLevel: 'OFF' },
      telemetryDisabled: true,
      userAgent: 'pacioli',
    });
    const pool = { driver, sessions: new Set<Session>(), isRetired: false };
    this.#pools.set(url, pool);
    return pool;
  }
}

function whole({ url, database = standardDatabase }: BoltDatabase): Required<BoltDatabase> {
  if (!urlPattern.test(url))
    throw new Error(`"${url}" is not the address of a graph server: use bolt://host:7687 without user or database.`);
  return { url, database };
}

/** Identifies a database in the directory. It changes when the server gets another name, so names should be stable. */
function addressOf({ url, database = standardDatabase }: BoltDatabase): string {
  return `${url.replace(/\/$/, '')}/${database}`;
}
