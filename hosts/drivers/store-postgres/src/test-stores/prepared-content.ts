/** Tables and rows that a test store has from its first moment. */
import { createHash } from 'node:crypto';
import type { MigrationSet, Store } from '@pacioli/core/ports';
import { readMigrationFiles } from '../migration-files.ts';

/**
 * Content that many test stores begin with. Making it takes seconds of processor time and copying it a fraction, so it
 * is made once, kept under a key of everything that it was made from, and copied.
 */
export interface PreparedContent {
  readonly sets: readonly MigrationSet[];
  /** Changes when `fill` would write something else. */
  readonly version: string;
  /** Writes the rows, after the migrations of the sets. The store is closed afterward. */
  fill(store: Store): Promise<void>;
}

/** Equal for contents that leave a store with the same tables and rows. */
export async function keyOfContent({ sets, version }: PreparedContent): Promise<string> {
  const files = await readMigrationFiles(sets);
  const hash = createHash('sha256').update(version);
  for (const { owner, name, checksum } of files) hash.update(`\n${owner}/${name} ${checksum}`);
  return hash.digest('hex').slice(0, 16);
}

/** Brings an empty store to the content. */
export async function writeContent(store: Store, { sets, fill }: PreparedContent): Promise<void> {
  await store.migrate(sets);
  await fill(store);
}
