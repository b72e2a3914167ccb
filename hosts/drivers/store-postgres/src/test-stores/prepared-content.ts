/** Tables and rows that a new test store contains. */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { MigrationSet, Store } from '@pacioli/core/ports';
import { readMigrationFiles } from '../migration-files.ts';
import { folderStamp } from './folder-stamp.ts';

/**
 * Initial content of many test stores. Creating it takes seconds of CPU time and copying it a fraction, so it is
 * created once, cached under a key of all its inputs, and copied.
 */
export interface PreparedContent {
  readonly sets: readonly MigrationSet[];
  /** Must change whenever `fill` would write different rows. */
  readonly version: string;
  /** Writes the rows, after the migrations of the sets. The store is closed afterward. */
  fill(store: Store): Promise<void>;
}

/** This package runs and guards the migrations, so a change of it invalidates every prepared store. */
const ownStamp = folderStamp(fileURLToPath(new URL('..', import.meta.url)));

/** Equal for contents that produce the same tables and rows; a constant when there is no content. */
export async function keyOfContent(content?: PreparedContent): Promise<string> {
  const hash = createHash('sha256').update(ownStamp);
  if (content === undefined) return hash.digest('hex').slice(0, 16);
  hash.update(content.version);
  const files = await readMigrationFiles(content.sets);
  for (const { owner, name, checksum } of files) hash.update(`\n${owner}/${name} ${checksum}`);
  return hash.digest('hex').slice(0, 16);
}

/** Writes the content into an empty store. */
export async function writeContent(store: Store, { sets, fill }: PreparedContent): Promise<void> {
  await store.migrate(sets);
  await fill(store);
}
