/** Tables and rows that a test store has from its first moment. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { MigrationSet, Store } from '@pacioli/core/ports';
import { readMigrationFiles } from '../migration-files.ts';
import { folderStamp } from './folder-stamp.ts';

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

/** This package runs and guards the migrations, so a change of it makes every prepared store again. */
const ownStamp = folderStamp(fileURLToPath(new URL('..', import.meta.url)));

/** Equal for contents that leave a store with the same tables and rows; of nothing at all when there is no content. */
export async function keyOfContent(content?: PreparedContent): Promise<string> {
  const hash = createHash('sha256').update(ownStamp);
  if (content === undefined) return hash.digest('hex').slice(0, 16);
  hash.update(content.version);
  const files = await readMigrationFiles(content.sets);
  for (const { owner, name, checksum } of files) hash.update(`\n${owner}/${name} ${checksum}`);
  return hash.digest('hex').slice(0, 16);
}

/** Brings an empty store to the content. */
export async function writeContent(store: Store, { sets, fill }: PreparedContent): Promise<void> {
  await store.migrate(sets);
  await fill(store);
}
