/** The files `rows.gen.ts` of all packages, from a database to which all of their migrations were applied. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openTestStore } from '@pacioli/testing';
import { kernelPlugin, migrationSets, sortPlugins } from '../core/src/assembly/index.ts';
import type { Plugin } from '../core/src/index.ts';
import { tableOwners } from '../hosts/drivers/store-postgres/src/table-owners.ts';
import { type Column, readColumns, renderRowTypes } from './row-types.ts';

export interface RowTypeFile {
  readonly path: string;
  readonly text: string;
  /** The columns of the package's tables. */
  readonly columns: readonly Column[];
}

/** The current text of each package's file. Packages without tables have none. */
export async function rowTypeFiles(packages: readonly string[]): Promise<readonly RowTypeFile[]> {
  const owners = (await Promise.all(packages.map(ownerIn))).filter((owner) => owner !== undefined);
  const { ordered } = sortPlugins(owners.map(({ plugin }) => plugin));
  // A copy of a cached database: migrations run again only after a change of them.
  const { store, dispose } = await openTestStore(
    {},
    { sets: migrationSets(ordered), version: 'tables', fill: async () => undefined },
  );
  try {
    return await store.transaction('kernel', async (tx) => {
      const all = await readColumns(tx);
      const { ownerOf } = tableOwners(owners.map(({ plugin }) => plugin.name));
      return owners.map(({ folder, plugin }) => {
        const columns = all.filter(({ table }) => ownerOf(table) === plugin.name);
        return {
          path: join(folder, 'src', 'rows.gen.ts'),
          text: renderRowTypes(plugin.name, columns),
          columns,
        };
      });
    });
  } finally {
    await dispose();
  }
}

async function ownerIn(folder: string): Promise<{ readonly folder: string; readonly plugin: Plugin } | undefined> {
  if (!existsSync(join(folder, 'src', 'migrations'))) return undefined;
  if (folder.endsWith('core')) return { folder, plugin: kernelPlugin };
  const module = (await import(pathToFileURL(join(folder, 'src', 'plugin.ts')).href)) as { default: Plugin };
  return { folder, plugin: module.default };
}
