/** The packages of the repository and the files behind their entry points. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface Package {
  readonly name: string;
  /** Relative to the root of the repository. */
  readonly folder: string;
  readonly version: string;
  readonly isPrivate: boolean;
  /** Source file by the name under which others import it. */
  readonly entryPoints: ReadonlyMap<string, string>;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, { readonly '@pacioli/source'?: string }>>;
}

/** All packages of the workspace by name. */
export function packagesOf(root: string): readonly Package[] {
  const parents = ['plugins', 'hosts', 'hosts/drivers'];
  const folders = ['core', 'conformance', ...parents.flatMap((parent) => foldersIn(root, parent))];
  return folders.flatMap((folder) => packageIn(root, folder)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function foldersIn(root: string, parent: string): readonly string[] {
  return readdirSync(join(root, parent)).map((name) => `${parent}/${name}`);
}

function packageIn(root: string, folder: string): readonly Package[] {
  let text: string;
  try {
    text = readFileSync(join(root, folder, 'package.json'), 'utf8');
  } catch {
    return []; // Not a package, such as the folder of the drivers.
  }
  const { name, version, private: isPrivate = false, exports = {} } = JSON.parse(text) as Manifest;
  const entryPoints = Object.entries(exports).flatMap(([path, conditions]) => {
    const source = conditions['@pacioli/source'];
    return source === undefined ? [] : [[posix.join(name, path), posix.join(folder, source)] as const];
  });
  return [{ name, folder, version, isPrivate, entryPoints: new Map(entryPoints) }];
}
