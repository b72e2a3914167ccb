/** The files `all.gen.ts`: plain sorted imports of the parts in a source folder, one list for each kind. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StartUpError } from '../start-up-error.ts';
import type { GeneratedFile } from './generated-file.ts';
import { importSource } from './import-source.ts';

const folders = [
  'operations',
  'views',
  'queries',
  'fields',
  'routes',
  'tools',
  'jobs',
  'runs',
  'events',
  'commands',
] as const;

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

export interface PartsFolder {
  readonly source: string;
  /** The module with the type of the lists. */
  readonly types: string;
}

/** The current list of the parts in a folder, or none if it has no parts and no list. */
export async function partLists({ source, types }: PartsFolder): Promise<readonly GeneratedFile[]> {
  const parts = [...(await namedParts(source)), ...(await analyticalParts(source))];
  const path = join(source, 'all.gen.ts');
  if (parts.length === 0 && !existsSync(path)) return [];
  return [{ path, text: render(parts, types), staleness: 'is stale' }];
}

async function namedParts(source: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const list of folders) {
    for (const file of filesIn(join(source, list))) {
      const path = join(source, list, file);
      if (!/^export default define/m.test(readFileSync(path, 'utf8'))) continue;
      const { default: part } = await importSource<{ default: Part }>(path);
      const stem = basename(file, '.ts');
      const name = part.kind === 'field' ? `${part.on}.${part.name}` : part.name;
      if (name !== stem && !(part.kind === 'event' && name.endsWith(`.${stem}`))) {
        throw new StartUpError(`${path} defines "${name}": the file must have the part's name.`);
      }
      const plain = localName(file);
      // A query and a command may have one name, such as `holdings`.
      const isTaken = part.kind === 'event' || found.some(({ local }) => local === plain);
      const local = isTaken ? `${plain}${part.kind.charAt(0).toUpperCase()}${part.kind.slice(1)}` : plain;
      found.push({ list, path: `./${list}/${file}`, local, isDefault: true });
    }
  }
  return found;
}

async function analyticalParts(source: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const file of filesIn(join(source, 'analytical'))) {
    const stem = basename(file, '.ts');
    const module = await importSource<Record<string, Part | undefined>>(join(source, 'analytical', file));
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

function render(parts: readonly Found[], types: string): string {
  const imports = parts.map(
    ({ local, path, isDefault }) => `import ${isDefault ? local : `{ ${local} }`} from '${path}';`,
  );
  const lists = [...folders, 'nodes', 'relationships']
    .map((list) => [list, parts.filter((part) => part.list === list)] as const)
    .filter(([, members]) => members.length > 0)
    .map(([list, members]) => `  ${list}: [${members.map((part) => part.local).join(', ')}],\n`);
  return [
    '// Written by `npm run gen`. Do not edit.',
    `import type { PluginParts } from '${types}';`,
    ...imports,
    '',
    `export const all = {\n${lists.join('')}} as const satisfies PluginParts;\n`,
  ].join('\n');
}
