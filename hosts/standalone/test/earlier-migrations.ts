import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { migrationSets } from '@pacioli/core/assembly';
import type { MigrationSet, Store } from '@pacioli/core/ports';

type Migrated = Parameters<typeof migrationSets>[0][number];

/**
 * Creates the tables of a plugin as of an earlier version: with the migrations before `before`, and without the
 * declared tables and functions that were added later.
 */
export async function migrateToEarlier(
  store: Store,
  plugin: Migrated,
  { before, without }: { readonly before: string; readonly without: readonly string[] },
): Promise<void> {
  const [set] = migrationSets([plugin]);
  if (set === undefined) throw new Error(`${plugin.name} has no migrations.`);
  const folder = await mkdtemp(join(tmpdir(), 'pacioli-earlier-'));
  try {
    await cp(fileURLToPath(set.folder), folder, { recursive: true });
    for (const file of await readdir(folder)) if (file >= before) await rm(join(folder, file));
    await store.migrate([earlierSet(set, pathToFileURL(`${folder}/`), without)]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function earlierSet(set: MigrationSet, folder: URL, without: readonly string[]): MigrationSet {
  const isRegistered = (name: string): boolean => !without.includes(name);
  return {
    owner: set.owner,
    folder,
    tables: Object.fromEntries(
      Object.entries(set.tables ?? {})
        .filter(([name]) => isRegistered(name))
        // Earlier versions granted the service changes of all rows.
        .map(([name, { application: _application, ...access }]) => [name, access]),
    ),
    securityDefinerFunctions: (set.securityDefinerFunctions ?? []).filter(isRegistered),
    kernelScopeFunctions: (set.kernelScopeFunctions ?? []).filter(isRegistered),
  };
}
