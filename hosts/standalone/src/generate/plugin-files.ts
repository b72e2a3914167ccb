import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrationSets } from '@pacioli/core/assembly';
import { embeddedStore } from '@pacioli/store-postgres';
import { type GeneratedFile, publishFiles, writeFile } from './generated-file.ts';
import { partLists } from './part-lists.ts';
import { rowTypeFiles, type TablePackage, tablePackageIn } from './row-type-files.ts';

/**
 * Writes `all.gen.ts` and `rows.gen.ts` of the plugin in a folder. Returns whether all files on disk are current, which
 * only a check leaves otherwise.
 */
export async function generatePlugin(folder: string, isCheck: boolean): Promise<boolean> {
  // The lists come first, because the plugin imports its own.
  const staleLists = publishFiles(await partLists({ source: join(folder, 'src'), types: '@pacioli/core' }), isCheck);
  if (isCheck && staleLists.length > 0) return false;
  const tables = await tablePackageIn(folder);
  const staleRows = publishFiles(tables === undefined ? [] : await rowTypes(tables), isCheck);
  return !isCheck || staleRows.length === 0;
}

/** The row types; kept by the contents of the migrations, because creating a database takes many seconds. */
async function rowTypes(tables: TablePackage): Promise<readonly GeneratedFile[]> {
  const path = join(tables.folder, 'src', 'rows.gen.ts');
  const kept = join(tables.folder, 'node_modules', '.cache', 'pacioli', `rows-${migrationsHash(tables)}.ts`);
  const text = existsSync(kept) ? readFileSync(kept, 'utf8') : await rowTypesOfNewDatabase(tables);
  writeFile(kept, text);
  return [{ path, text, staleness: 'does not have the row types of the migrations' }];
}

function migrationsHash({ folder, plugin }: TablePackage): string {
  const migrations = join(folder, 'src', 'migrations');
  const hash = createHash('sha256').update(plugin.name);
  for (const name of readdirSync(migrations).sort())
    hash.update(`\0${name}\0`).update(readFileSync(join(migrations, name)));
  return hash.digest('hex').slice(0, 16);
}

async function rowTypesOfNewDatabase(tables: TablePackage): Promise<string> {
  const store = await embeddedStore({ folder: 'memory' });
  try {
    // A table refers only to those of its own plugin (platform X-5).
    await store.migrate(migrationSets([tables.plugin]));
    const [file] = await rowTypeFiles(store, [tables]);
    return file?.text ?? '';
  } finally {
    await store.close();
  }
}
