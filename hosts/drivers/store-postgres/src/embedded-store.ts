import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Store, StoreError } from '@pacioli/core/ports';
import pg from 'pg';
import { applicationRole, type Connections, defaults } from './connections.ts';
import { createDatabase } from './create-database.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { Listeners } from './listeners.ts';
import { PGliteStream } from './pglite-stream.ts';
import { toStoreError } from './store-error.ts';
import { StoreOverPool } from './store-over-pool.ts';
import { typeParsers } from './type-parsers.ts';
import { maxWriteAheadLogBytes, writeAheadLogBytes } from './write-ahead-log.ts';

/** All callers queue for one session, so they wait longer than for a server. */
const maxQueueMs = 60_000;

export interface EmbeddedStoreOptions {
  /** The data folder; created when missing. `memory` is a temporary folder that `close` removes. */
  readonly folder: string;
  /** The longest that one statement may take unless its transaction sets another limit (30,000 ms). */
  readonly maxStatementMs?: number;
  /** An engine that is already starting; the store starts its own when missing. */
  readonly engine?: EmbeddedEngine;
}

/**
 * A store inside this process: PostgreSQL as WebAssembly in a worker thread, one session, serial transactions.
 * Committed data survives the end of the process by any signal, but not a power failure: it runs without fsync.
 * Throws a StoreError when another process owns the folder.
 */
export async function embeddedStore(options: EmbeddedStoreOptions): Promise<Store> {
  const engine = options.engine ?? new EmbeddedEngine();
  engine.start();
  try {
    return await openFolder(options, engine);
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

async function openFolder(options: EmbeddedStoreOptions, engine: EmbeddedEngine): Promise<Store> {
  const isTemporary = options.folder === 'memory';
  const folder = isTemporary ? await mkdtemp(join(tmpdir(), 'pacioli-store-')) : await makeFolder(options.folder);
  const held = await lockFolder(folder);
  const lock = {
    async release() {
      await held.release();
      if (isTemporary) await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    await createDatabase(join(folder, 'data'));
  } catch (error) {
    await lock.release();
    throw toStoreError(error);
  }
  const maxStatementMs = options.maxStatementMs ?? defaults.maxStatementMs;
  const connections = new EmbeddedConnections({
    folder: join(folder, 'data'),
    engine,
    maxStatementMs,
    lock,
  });
  try {
    await connections.pool.query('SELECT 1');
  } catch (error) {
    await connections.close();
    throw damaged(folder, toStoreError(error));
  }
  return new StoreOverPool(connections);
}

/** An unclassified error while opening is taken to mean that the engine cannot read its files. */
function damaged(folder: string, error: unknown): unknown {
  if (error instanceof StoreError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(
    'unreachable',
    `The database in ${folder} cannot be opened: ${reason} Check that all of its files are there and can be read and ` +
      'written by this user, or put back a copy of the folder.',
    { cause: error },
  );
}

interface EmbeddedParts {
  readonly folder: string;
  readonly engine: EmbeddedEngine;
  readonly maxStatementMs: number;
  readonly lock: FolderLock;
}

class EmbeddedConnections implements Connections {
  readonly driver = 'embedded';
  readonly hasOwnUpkeep = false;
  readonly pipelines = false;
  readonly pool: pg.Pool;
  readonly maxStatementMs: number;
  readonly #wakers = new Listeners();
  readonly #lock: FolderLock;
  readonly #folder: string;
  readonly #engine: EmbeddedEngine;
  #limitMs: number;
  /** Of the latest session, the only one in use. */
  #stream: PGliteStream | undefined;
  /** Resolves when the last worker has exited; the next one must not open the folder earlier. */
  #free: Promise<void> = Promise.resolve();

  constructor({ folder, engine, maxStatementMs, lock }: EmbeddedParts) {
    this.#folder = folder;
    this.#engine = engine;
    this.#lock = lock;
    this.maxStatementMs = maxStatementMs;
    this.#limitMs = maxStatementMs;
    this.pool = new pg.Pool({
      user: 'postgres',
      database: 'postgres',
      // The engine needs no password; without one, pg would look for a password file.
      password: 'unused',
      ssl: false,
      stream: () => this.#openStream(),
      types: typeParsers,
      max: 1,
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: maxQueueMs,
      onConnect: (client) => this.#prepare(client),
    });
    // A session that breaks while idle is replaced; one that breaks in use rejects its statement.
    this.pool.on('error', () => undefined);
    this.pool.on('release', () => {
      // A transaction's limit must not apply to later work on the session, such as a notification or a restart.
      this.#limitMs = this.maxStatementMs;
    });
  }

  limitStatements(_client: pg.PoolClient, maxStatementMs: number): string {
    // There is only one session, so its next statements belong to the transaction about to begin.
    this.#limitMs = maxStatementMs;
    return '';
  }

  release(client: pg.PoolClient, isBroken: boolean): void {
    const isReplaced = isBroken || this.#isGrown;
    if (isReplaced || writeAheadLogBytes(this.#folder) <= maxWriteAheadLogBytes) {
      client.release(isReplaced);
      return;
    }
    // Before the waiting transactions, each of which would add to the log. When it fails, the next release tries again.
    this.#runAsOwner(client, () => client.query('CHECKPOINT')).catch(() => undefined);
  }

  get #isGrown(): boolean {
    return this.#stream?.isGrown === true;
  }

  async asOwner<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    return this.#runAsOwner(await this.pool.connect(), work);
  }

  async #runAsOwner<T>(client: pg.PoolClient, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    this.#limitMs = defaults.maxMigrationMs;
    let isClean = false;
    try {
      await client.query('SET ROLE NONE');
      try {
        return await work(client);
      } finally {
        await client.query(`SET ROLE ${applicationRole}`);
        isClean = true;
      }
    } finally {
      client.release(!isClean || this.#isGrown);
    }
  }

  async listen(channel: string, wake: (payload: string) => void): Promise<() => Promise<void>> {
    const forget = this.#wakers.add(channel, wake);
    try {
      await this.pool.query(`LISTEN "${channel}"`);
    } catch (error) {
      forget();
      throw error;
    }
    return async () => {
      forget();
      if (!this.#wakers.has(channel) && !this.pool.ending) await this.pool.query(`UNLISTEN "${channel}"`);
    };
  }

  async close(): Promise<void> {
    try {
      await this.pool.end();
      await this.#free;
    } finally {
      await this.#lock.release();
    }
  }

  #openStream(): PGliteStream {
    const stream = new PGliteStream({
      folder: this.#folder,
      engine: this.#engine,
      free: this.#free,
      maxStatementMs: () => this.#limitMs,
    });
    this.#free = stream.exited;
    this.#stream = stream;
    return stream;
  }

  /** Restores the role and the channels of the last session in a new one. */
  async #prepare(client: pg.ClientBase): Promise<void> {
    client.on('error', () => undefined);
    client.on('notification', ({ channel, payload }) => this.#wakers.wake(channel, payload ?? ''));
    await client.query(`DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${applicationRole}') THEN
        CREATE ROLE ${applicationRole} NOLOGIN NOSUPERUSER NOBYPASSRLS;
      END IF;
    END $$`);
    await client.query(`SET ROLE ${applicationRole}`);
    for (const channel of this.#wakers.channels()) await client.query(`LISTEN "${channel}"`);
  }
}

async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder);
  } catch (error) {
    throw new StoreError(
      'unreachable',
      `The data folder ${folder} cannot be created or opened. Check its permissions.`,
      {
        cause: error,
      },
    );
  }
}
