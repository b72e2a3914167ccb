/** Real stores for the tests of every package. Not for production: it needs development dependencies. */
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, rename, rm, stat, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from '@pacioli/core/ports';
import pg from 'pg';
import { compileEngine, embeddedStore, openEmbedded } from './embedded-store.ts';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';
import { postgresStore } from './postgres-store.ts';
import { StoreOverPool } from './store-over-pool.ts';

export { type PostgresServer, startPostgresServer } from './postgres-server.ts';

const freeMemory_bytes_min = 4 * 1024 ** 3;

/** Runs statements in one transaction as the owner of the tables with all triggers off, as no part of a service can. */
export async function tamper(store: Store, statements: string): Promise<void> {
  if (!(store instanceof StoreOverPool)) throw new Error('Only a store of this package can be tampered with.');
  await store.asOwner((owner) =>
    owner.query(`BEGIN; SET LOCAL session_replication_role = replica; ${statements}; COMMIT`),
  );
}

/** A store of its own for one test or one file, with nothing in it. */
export interface TestStore {
  readonly store: Store;
  /** Another store on the same data, as another process would have it; not with the embedded driver. */
  readonly openSecond?: (() => Promise<Store>) | undefined;
  dispose(): Promise<void>;
}

export interface TestStoreOptions {
  readonly statement_ms_max?: number;
  readonly connections_max?: number;
  readonly lock_ms_max?: number;
}

export interface StoreDriver {
  readonly name: 'embedded' | 'server';
  /** Whether transactions run beside each other, or one after the other in one session. */
  readonly hasManySessions: boolean;
  create(options?: TestStoreOptions): Promise<TestStore>;
  /** Stops what all stores of this driver share. Call it once, after the last `dispose`. */
  stop(): Promise<void>;
}

/**
 * The drivers that the tests of a store run on: the embedded one always, and a PostgreSQL server when the variable
 * PACIOLI_TEST_STORES contains `server`. Each list has one server, started by its first `create`.
 */
export function storeDrivers(): readonly StoreDriver[] {
  const wanted = (process.env['PACIOLI_TEST_STORES'] ?? 'embedded').split(',').map((name) => name.trim());
  return wanted.includes('server') ? [embeddedDriver(), serverDriver()] : [embeddedDriver()];
}

/** Compiling the engine takes a second of processor time, so all stores of a test process share one. */
const sharedEngine = onDemand(compileEngine);

/** A function that calls `make` the first time and gives the same promise afterwards. */
function onDemand<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function embeddedDriver(): StoreDriver {
  return {
    name: 'embedded',
    hasManySessions: false,
    async create(options = {}) {
      const folder = await mkdtemp(join(await fastestTemporaryFolder(), 'pacioli-test-'));
      // A thousand small files: the synchronous copy takes half the time of the other one.
      cpSync(await emptyDataFolder(), folder, { recursive: true });
      const { statement_ms_max } = options;
      const limit = statement_ms_max === undefined ? {} : { statement_ms_max };
      const store = await openEmbedded({ folder, ...limit }, sharedEngine());
      return {
        store,
        async dispose() {
          await store.close();
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
    stop: async () => undefined,
  };
}

/**
 * A data folder that was just created, to be copied: making one takes seconds, copying one a fraction. It is kept
 * among the caches of the packages, under the version of the engine.
 */
async function emptyDataFolder(): Promise<string> {
  const version = await engineVersion();
  const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url));
  const folder = join(cache, `empty-data-${version}`);
  if (await exists(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, 'new-'));
  const store = await embeddedStore({ folder: fresh });
  await store.close();
  try {
    await rename(fresh, folder);
  } catch {
    // Another test process was first; its folder is as good.
    await rm(fresh, { recursive: true, force: true });
  }
  return folder;
}

/** Memory where Linux offers enough of it (creating a thousand files on disk takes a second), else the usual place. */
async function fastestTemporaryFolder(): Promise<string> {
  const memory = '/dev/shm';
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize >= freeMemory_bytes_min ? memory : tmpdir();
  } catch {
    // Not Linux, or not for us.
    return tmpdir();
  }
}

async function engineVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { size, mtimeMs } = await stat(join(dirname(entry), 'pglite.wasm'));
  return `${size}-${Math.trunc(mtimeMs)}`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function serverDriver(): StoreDriver {
  let server: Promise<PostgresServer> | undefined;
  return {
    name: 'server',
    hasManySessions: true,
    async create(options = {}) {
      server ??= startPostgresServer();
      const { url } = await server;
      const database = `test_${randomBytes(8).toString('hex')}`;
      await administer(url, `CREATE DATABASE ${database}`);
      const own = new URL(url);
      own.pathname = `/${database}`;
      const open = (): Promise<Store> => postgresStore({ url: own.href, connections_max: 8, ...options });
      const store = await open();
      return {
        store,
        openSecond: open,
        async dispose() {
          await store.close();
          await administer(url, `DROP DATABASE ${database} WITH (FORCE)`);
        },
      };
    },
    async stop() {
      await (await server)?.stop();
      server = undefined;
    },
  };
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
