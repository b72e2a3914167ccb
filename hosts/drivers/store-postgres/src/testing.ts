/** Real stores for the tests of every package. Not for production: it needs development dependencies. */
import type { Store } from '@pacioli/core/ports';
import { StoreOverPool } from './store-over-pool.ts';
import { embeddedDriver } from './test-stores/embedded-driver.ts';
import { serverDriver } from './test-stores/server-driver.ts';
import type { StoreDriver } from './test-stores/test-store.ts';

export { type PostgresServer, startPostgresServer } from './postgres-server.ts';
export { removeAbandonedFolders } from './test-stores/data-folders.ts';
export { folderStamp } from './test-stores/folder-stamp.ts';
export type { PreparedContent } from './test-stores/prepared-content.ts';
export { createTestDatabase, type TestDatabase } from './test-stores/server-driver.ts';
export type { StoreDriver, TestStore, TestStoreOptions } from './test-stores/test-store.ts';

/** Runs statements in one transaction as the table owner with all triggers off, which no part of a service can do. */
export async function tamper(store: Store, statements: string): Promise<void> {
  if (!(store instanceof StoreOverPool)) throw new Error('Only a store of this package can be tampered with.');
  await store.asOwner((owner) =>
    owner.query(`BEGIN; SET LOCAL session_replication_role = replica; ${statements}; COMMIT`),
  );
}

/**
 * Brings tables up to date for the planner at once, as autovacuum and the upkeep of the store do after a while. Without
 * the option, a vacuum leaves a few pages with removed rows as they are.
 */
export async function vacuum(store: Store, tables: readonly string[]): Promise<void> {
  if (!(store instanceof StoreOverPool)) throw new Error('Only a store of this package can be vacuumed.');
  await store.asOwner((owner) => owner.query(`VACUUM (ANALYZE, INDEX_CLEANUP ON) ${tables.join(', ')}`));
}

/**
 * The drivers on which store tests run, from PACIOLI_TEST_STORES: `embedded` (the default), `server` or both. The
 * server is that of PACIOLI_TEST_SERVER_URL (its administrator, on the database `postgres`); without it, each list
 * starts its own server on the first `create`.
 */
export function storeDrivers(): readonly StoreDriver[] {
  const wanted = (process.env['PACIOLI_TEST_STORES'] ?? 'embedded').split(',').map((name) => name.trim());
  const drivers = [embeddedDriver(), serverDriver()];
  const unknown = wanted.find((name) => !drivers.some((driver) => driver.name === name));
  if (unknown !== undefined) throw new Error(`PACIOLI_TEST_STORES names "${unknown}"; there are embedded and server.`);
  return drivers.filter(({ name }) => wanted.includes(name));
}
