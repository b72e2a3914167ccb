import { readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Store } from '@pacioli/core';
import { kernelPlugin, migrationSets, sortPlugins } from '@pacioli/core/assembly';
import { digestOf, graphTables, type PluginSet, withFolder, writeSampleRows } from './plugin-set.ts';

const graphId = 'kg_upgraded';

/** The names of the migrations of a plugin, in order. */
export function migrationNames({ plugin }: Pick<PluginSet, 'plugin'>): readonly string[] {
  if (plugin.migrations === undefined) return [];
  return readdirSync(plugin.migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort();
}

/**
 * Migrates to the last released migration, writes sample rows, and migrates to the newest one. Returns the number of
 * rows of each released table before and after.
 */
export async function testUpgrade(
  set: PluginSet,
  store: Store,
  releasedThrough: string,
): Promise<{ readonly before: Readonly<Record<string, string>>; readonly after: Readonly<Record<string, string>> }> {
  const { ordered } = sortPlugins([kernelPlugin, set.plugin, ...set.others]);
  const sets = migrationSets(ordered);
  return withFolder(async (folder) => {
    const names = migrationNames(set).filter((name) => name <= releasedThrough);
    const from = fileURLToPath(set.plugin.migrations ?? new URL('.', import.meta.url));
    for (const name of names) await cp(join(from, name), join(folder, name));
    const released = pathToFileURL(`${folder}/`);
    await store.migrate(sets.map((each) => (each.owner === set.plugin.name ? { ...each, folder: released } : each)));
    const tables = (await graphTables(set, store)).map(({ name }) => name);
    await writeSampleRows(set, store, graphId);
    const before = countsOf(await digestOf(set, store, graphId), tables);
    await store.migrate(sets);
    return { before, after: countsOf(await digestOf(set, store, graphId), tables) };
  });
}

/** Only the numbers, because a migration may change rows. */
function countsOf(digests: Readonly<Record<string, string>>, tables: readonly string[]): Record<string, string> {
  return Object.fromEntries(tables.map((name) => [name, digests[name]?.split(' rows ')[0] ?? 'dropped']));
}
