import { GraphStoreError } from '@pacioli/core/ports';
import neo4j, { type Driver, type Session } from 'neo4j-driver';
import type { BoltDatabase, Settings } from './options.ts';

/** The database that a server has without being told a name. */
const standardDatabase = 'neo4j';

/** Retries only cover collisions of short transactions: a server that does not answer is reported at once. */
const maxRetryMs = 1_000;

/** Routing (`neo4j://`) is not supported: a read could reach a member that does not have the newest claim yet. */
const urlPattern = /^bolt(?:\+s|\+ssc)?:\/\/[^/?#@\s]+\/?$/;

/** Connections to the servers: one pool for each, opened when it is first used. */
export class Connections {
  readonly #settings: Settings;
  readonly #databases: ReadonlyMap<string, Required<BoltDatabase>>;
  readonly #drivers = new Map<string, Driver>();
  readonly #open = new Set<Session>();

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
    const session = this.#driver(database.url).session({
      database: database.database,
      defaultAccessMode: access === 'read' ? neo4j.session.READ : neo4j.session.WRITE,
      fetchSize: fetchRows,
    });
    this.#open.add(session);
    return session;
  }

  /** Closes a session, and stops its statement if one is running. A lost connection has nothing left to close. */
  async end(session: Session): Promise<void> {
    this.#open.delete(session);
    await session.close().catch(() => undefined);
  }

  async isReachable(): Promise<boolean> {
    const urls = new Set([...this.#databases.values()].map(({ url }) => url));
    const found = await Promise.all(
      [...urls].map((url) =>
        this.#driver(url)
          .getServerInfo()
          .then(
            () => true,
            () => false,
          ),
      ),
    );
    return found.every((isFound) => isFound);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((session) => this.end(session)));
    await Promise.allSettled([...this.#drivers.values()].map((driver) => driver.close()));
    this.#drivers.clear();
  }

  #driver(url: string): Driver {
    const known = this.#drivers.get(url);
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
    this.#drivers.set(url, driver);
    return driver;
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
