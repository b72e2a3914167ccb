/**
 * Writes each package's `all.gen.ts` (plain sorted imports of its parts, one list for each kind) and `rows.gen.ts` (the
 * types of its rows), the references of its `tsconfig.json`, the page of rules with the tests that cite them, and the pages of
 * the reference. Fails on a definition that has no description, on a citation of an unknown rule, on code that names a table of another package, and on a type of rows that is written
 * by hand.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { foreignTables } from './foreign-tables.ts';
import { staleProjects } from './project-references.ts';
import { reference } from './reference/index.ts';
import { rowTypeFiles } from './row-type-files.ts';
import { sourceFiles } from './rules-files.ts';
import { ruleReference } from './rules-reference.ts';
import { writtenRows } from './written-rows.ts';

const isCheck = process.argv.includes('--check');
const root = new URL('..', import.meta.url).pathname;
const folders = ['operations', 'views', 'queries', 'fields', 'routes', 'jobs', 'events', 'commands'] as const;

interface Part {
  readonly kind: string;
  readonly name: string;
  /** The type that a field extends, or the event that a job subscribes to. */
  readonly on?: unknown;
}

interface Found {
  readonly list: string;
  readonly path: string;
  readonly local: string;
  readonly isDefault: boolean;
}

interface PartsFolder {
  readonly source: string;
  /** The module with the type of the lists. */
  readonly types: string;
}

function plugins(): readonly string[] {
  const folders = readdirSync(join(root, 'plugins')).map((name) => join(root, 'plugins', name));
  return folders.filter((folder) => existsSync(join(folder, 'src')));
}

/** The packages that may have tables. */
function packages(): readonly string[] {
  return [join(root, 'core'), ...plugins()];
}

function foldersOfParts(): readonly PartsFolder[] {
  return [
    { source: join(root, 'core', 'src'), types: './define/plugin.ts' },
    { source: join(root, 'core', 'src', 'identity'), types: '../define/plugin.ts' },
    ...plugins().map((folder) => ({ source: join(folder, 'src'), types: '@pacioli/core' })),
  ].filter(({ source }) => existsSync(source));
}

function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.gen.ts'))
    .sort();
}

function localName(file: string): string {
  const name = basename(file, '.ts').replace(/[-.]([a-zA-Z0-9])/g, (_match, letter: string) => letter.toUpperCase());
  return /^(delete|new|default|switch|in|export|import)$/.test(name) ? `${name}Part` : name;
}

async function partsOf(source: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const list of folders) {
    for (const file of filesIn(join(source, list))) {
      const path = join(source, list, file);
      if (!/^export default define/m.test(readFileSync(path, 'utf8'))) continue;
      const { default: part } = (await import(pathToFileURL(path).href)) as { default: Part };
      const stem = basename(file, '.ts');
      const name = part.kind === 'field' ? `${part.on}.${part.name}` : part.name;
      if (name !== stem && !(part.kind === 'event' && name.endsWith(`.${stem}`))) {
        throw new Error(`${path} defines "${name}": the file must have the part's name.`);
      }
      found.push({
        list,
        path: `./${list}/${file}`,
        local: `${localName(file)}${part.kind === 'event' ? 'Event' : ''}`,
        isDefault: true,
      });
    }
  }
  for (const file of filesIn(join(source, 'analytical'))) {
    const stem = basename(file, '.ts');
    const module = (await import(pathToFileURL(join(source, 'analytical', file)).href)) as Record<
      string,
      Part | undefined
    >;
    const part = module[stem] ?? module['default'];
    if (part === undefined || part.name !== stem) continue;
    found.push({
      list: part.kind === 'node' ? 'nodes' : 'relationships',
      path: `./analytical/${file}`,
      local: stem,
      isDefault: module[stem] === undefined,
    });
  }
  return found;
}

function render(parts: readonly Found[], types: string): string {
  const imports = parts.map(
    ({ local, path, isDefault }) => `import ${isDefault ? local : `{ ${local} }`} from '${path}';`,
  );
  const lists = [...folders, 'nodes', 'relationships']
    .map((list) => [list, parts.filter((part) => part.list === list)] as const)
    .filter(([, members]) => members.length > 0)
    .map(([list, members]) => `  ${list}: [${members.map((part) => part.local).join(', ')}],`);
  const partsType = `import type { PluginParts } from '${types}';`;
  return `// Written by \`npm run gen\`. Do not edit.\n${[partsType, ...imports].join('\n')}\n\nexport const all = {\n${lists.join('\n')}\n} as const satisfies PluginParts;\n`;
}

let isStale = false;

/** Writes a file that differs from its text; with `--check`, reports it instead. */
function publish(path: string, text: string, problem: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  if (isCheck) {
    isStale = true;
    console.error(`${path} ${problem}. Run "npm run gen".`);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`wrote ${path}`);
}

for (const { source, types } of foldersOfParts()) {
  const parts = await partsOf(source);
  if (parts.length > 0) publish(join(source, 'all.gen.ts'), render(parts, types), 'is stale');
}
const rowTypes = await rowTypeFiles(packages());
for (const { path, text } of rowTypes) publish(path, text, 'does not have the row types of the migrations');
for (const { path, text } of staleProjects(root))
  publish(path, text, 'does not reference the packages of its package.json');
const files = sourceFiles(root);
const rules = ruleReference(files);
publish(join(root, rules.path), rules.text, 'does not list the current tests of the rules');
const { pages, problems: undescribed } = await reference(root, files);
for (const { path, text } of pages) publish(join(root, path), text, 'does not describe the current definitions');
const tableColumns = rowTypes.map(({ path, columns }) => ({ folder: relative(root, dirname(dirname(path))), columns }));
const owners = tableColumns.map(({ folder, columns }) => ({
  folder,
  tables: [...new Set(columns.map(({ table }) => table))],
}));
const columns = tableColumns.flatMap(({ folder, columns }) => columns.map((column) => ({ ...column, folder })));
const problems = [...rules.problems, ...undescribed, ...foreignTables(files, owners), ...writtenRows(files, columns)];
for (const problem of problems) console.error(problem);
if (isStale || problems.length > 0) process.exitCode = 1;
