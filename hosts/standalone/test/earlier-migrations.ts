import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { migrationSets } from '@pacioli/core/assembly';
import type { MigrationSet, Store } from '@pacioli/core/ports';

type Migrated = Parameters<typeof migrationSets>[0][number];

/**
 * Creates the tables of a plugin as of an earlier version: with the migrations before `before`, and without the
 * declared tables and functions that these do not name, or that `without` lists.
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
    const texts = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')));
    const exists = (name: string): boolean => !without.includes(name) && texts.some((text) => text.includes(name));
    await store.migrate([earlierSet(set, pathToFileURL(`${folder}/`), exists)]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function earlierSet(set: MigrationSet, folder: URL, exists: (name: string) => boolean): MigrationSet {
  return {
    owner: set.owner,
    folder,
    tables: Object.fromEntries(
      Object.entries(set.tables ?? {})
        .filter(([name]) => exists(name))
        // Earlier versions granted the service changes of all rows.
        .map(([name, { application: _application, ...access }]) => [name, access]),
    ),
    securityDefinerFunctions: (set.securityDefinerFunctions ?? []).filter(exists),
    kernelScopeFunctions: (set.kernelScopeFunctions ?? []).filter(exists),
  };
}
