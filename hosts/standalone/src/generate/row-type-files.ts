/** The files `rows.gen.ts` of packages, from a database to which all of their migrations were applied. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from '@pacioli/core';
import type { Store } from '@pacioli/core/ports';
import { tableOwners } from '@pacioli/store-postgres';
import type { GeneratedFile } from './generated-file.ts';
import { importSource } from './import-source.ts';
import { type Column, readColumns, renderRowTypes } from './row-types.ts';

/** A package whose migrations make tables. */
export interface TablePackage {
  readonly folder: string;
  readonly plugin: Plugin;
}

export interface RowTypeFile extends GeneratedFile {
  /** The columns of the package's tables. */
  readonly columns: readonly Column[];
}

/** The plugin in a folder, or undefined if it has no migrations. */
export async function tablePackageIn(folder: string): Promise<TablePackage | undefined> {
  if (!existsSync(join(folder, 'src', 'migrations'))) return undefined;
  const module = await importSource<{ default: Plugin }>(join(folder, 'src', 'plugin.ts'));
  return { folder, plugin: module.default };
}

/** The current text of each package's file, read from a store in which all of their migrations were applied. */
export async function rowTypeFiles(store: Store, packages: readonly TablePackage[]): Promise<readonly RowTypeFile[]> {
  const all = await store.transaction('kernel', (tx) => readColumns(tx));
  const { ownerOf } = tableOwners(packages.map(({ plugin }) => plugin.name));
  return packages.map(({ folder, plugin }) => {
    const columns = all.filter(({ table }) => ownerOf(table) === plugin.name);
    return {
      path: join(folder, 'src', 'rows.gen.ts'),
      text: renderRowTypes(plugin.name, columns),
      staleness: 'does not have the row types of the migrations',
      columns,
    };
  });
}
