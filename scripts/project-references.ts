/** Keeps the compiler's `references` of each package equal to the packages that its `package.json` depends on. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

interface CompilerProject {
  readonly extends?: string;
  readonly references?: readonly { readonly path: string }[];
}

/** A `tsconfig.json` whose references are not those of its `package.json`, and its text with the right ones. */
export interface StaleProject {
  readonly path: string;
  readonly text: string;
}

export function staleProjects(root: string): readonly StaleProject[] {
  const folders = builtPackages(root);
  const folderOf = new Map(folders.map((folder) => [manifestOf(folder).name, folder]));
  return folders.flatMap((folder) => {
    const path = join(folder, 'tsconfig.json');
    const project = readJson<CompilerProject>(path);
    const { dependencies, peerDependencies } = manifestOf(folder);
    const references = Object.keys({ ...dependencies, ...peerDependencies })
      .flatMap((name) => folderOf.get(name) ?? [])
      .map((dependency) => ({ path: relative(folder, dependency) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    if (JSON.stringify(project.references ?? []) === JSON.stringify(references)) return [];
    return [{ path, text: `${JSON.stringify({ ...project, references }, null, 2)}\n` }];
  });
}

/** The folders of the packages that are compiled into a `dist` of their own. */
function builtPackages(root: string): readonly string[] {
  const parents = ['plugins', 'hosts', 'hosts/drivers'].map((name) => join(root, name));
  const below = parents.flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)));
  return [...['core', 'testing', 'conformance'].map((name) => join(root, name)), ...below].filter((folder) => {
    const path = join(folder, 'tsconfig.json');
    return existsSync(path) && readJson<CompilerProject>(path).extends?.endsWith('tsconfig.package.json') === true;
  });
}

function manifestOf(folder: string): Manifest {
  return readJson<Manifest>(join(folder, 'package.json'));
}

/** The JSON files of this repository's own packages. */
function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
