/**
 * Writes each package's `all.gen.ts` (plain sorted imports of its parts, one list for each kind) and `rows.gen.ts` (the
 * types of its rows), the references of its `tsconfig.json`, the template of `create-pacioli-plugin`, the page of rules
 * with the tests that cite them, the pages of the reference, and the public surface of each package (`api.txt`). Fails on
 * a definition that has no description, on a citation of an unknown rule, on code that names a table of another package,
 * and on a type of rows that is written by hand.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { openTestStore } from '@pacioli/testing';
import { kernelPlugin, migrationSets, sortPlugins } from '../core/src/assembly/index.ts';
import { type GeneratedFile, publishFiles } from '../hosts/standalone/src/generate/generated-file.ts';
import { type PartsFolder, partLists } from '../hosts/standalone/src/generate/part-lists.ts';
import { type RowTypeFile, rowTypeFiles, tablePackageIn } from '../hosts/standalone/src/generate/row-type-files.ts';
import { foreignTables } from './foreign-tables.ts';
import { pluginTemplate } from './plugin-template.ts';
import { staleProjects } from './project-references.ts';
import { reference } from './reference/index.ts';
import { sourceFiles } from './rules-files.ts';
import { ruleReference } from './rules-reference.ts';
import { writtenRows } from './written-rows.ts';

const isCheck = process.argv.includes('--check');
const root = new URL('..', import.meta.url).pathname;

function plugins(): readonly string[] {
  const folders = readdirSync(join(root, 'plugins')).map((name) => join(root, 'plugins', name));
  return folders.filter((folder) => existsSync(join(folder, 'src')));
}

function foldersOfParts(): readonly PartsFolder[] {
  return [
    { source: join(root, 'core', 'src'), types: './define/plugin.ts' },
    { source: join(root, 'core', 'src', 'identity'), types: '../define/plugin.ts' },
    ...plugins().map((folder) => ({ source: join(folder, 'src'), types: '@pacioli/core' })),
  ].filter(({ source }) => existsSync(source));
}

/** The row types of all packages. They are read from a cached database, so migrations run only after a change of them. */
async function rowTypesOfAll(): Promise<readonly RowTypeFile[]> {
  const found = await Promise.all(plugins().map(tablePackageIn));
  const packages = [{ folder: join(root, 'core'), plugin: kernelPlugin }, ...found].filter(
    (each) => each !== undefined,
  );
  const { ordered } = sortPlugins(packages.map(({ plugin }) => plugin));
  const content = { sets: migrationSets(ordered), version: 'tables', fill: async () => undefined };
  const { store, dispose } = await openTestStore({}, content);
  try {
    return await rowTypeFiles(store, packages);
  } finally {
    await dispose();
  }
}

let isStale = false;
function publish(files: readonly GeneratedFile[]): void {
  const stale = publishFiles(files, isCheck);
  isStale ||= isCheck && stale.length > 0;
}

for (const folder of foldersOfParts()) publish(await partLists(folder));
const rowTypes = await rowTypesOfAll();
publish(rowTypes);
publish([{ ...pluginTemplate(root), staleness: 'is not the current template' }]);
publish(
  staleProjects(root).map((file) => ({ ...file, staleness: 'does not reference the packages of its package.json' })),
);
const files = sourceFiles(root);
const rules = ruleReference(files);
const { pages, apiReports, problems: undescribed } = await reference(root, files);
publish([
  { ...rules, path: join(root, rules.path), staleness: 'does not list the current tests of the rules' },
  ...apiReports.map(({ path, text }) => ({
    path: join(root, path),
    text,
    staleness: 'does not have the current exports',
  })),
  ...pages.map(({ path, text }) => ({
    path: join(root, path),
    text,
    staleness: 'does not describe the current definitions',
  })),
]);
const tableColumns = rowTypes.map(({ path, columns }) => ({ folder: relative(root, dirname(dirname(path))), columns }));
const owners = tableColumns.map(({ folder, columns }) => ({
  folder,
  tables: [...new Set(columns.map(({ table }) => table))],
}));
const columns = tableColumns.flatMap(({ folder, columns }) => columns.map((column) => ({ ...column, folder })));
const problems = [...rules.problems, ...undescribed, ...foreignTables(files, owners), ...writtenRows(files, columns)];
for (const problem of problems) console.error(problem);
if (isStale || problems.length > 0) process.exitCode = 1;
