/** Keeps the compiler's `references` of each project equal to the packages that its `package.json` depends on. */
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

/**
 * Code that a package exports for tests of others is a separate project, so that a deployment can be built without
 * the packages that only tests need.
 */
const testingProject = 'tsconfig.testing.json';

/** A project whose references differ from its `package.json`, with its corrected text. */
export interface StaleProject {
  readonly path: string;
  readonly text: string;
}

export function staleProjects(root: string): readonly StaleProject[] {
  const folders = builtPackages(root);
  const folderOf = new Map(folders.map((folder) => [manifestOf(folder).name, folder]));
  return folders.flatMap((folder) =>
    ['tsconfig.json', testingProject].flatMap((file) => {
      const path = join(folder, file);
      if (!existsSync(path)) return [];
      const project = readJson<CompilerProject>(path);
      const isForTests = file === testingProject || manifestOf(folder).name === '@pacioli/testing';
      const own = file === testingProject ? ['.'] : [];
      const others = dependenciesOf(folder, isForTests)
        .flatMap((name) => folderOf.get(name) ?? [])
        .flatMap((dependency) => projectsOf(dependency, isForTests))
        .map((dependency) => relative(folder, dependency))
        .sort();
      const references = [...own, ...others].map((reference) => ({ path: reference }));
      if (JSON.stringify(project.references ?? []) === JSON.stringify(references)) return [];
      return [{ path, text: `${JSON.stringify({ ...project, references }, null, 2)}\n` }];
    }),
  );
}

/** Only the code for tests depends on the testing package, an optional peer. Drivers are optional peers of a host. */
function dependenciesOf(folder: string, isForTests: boolean): readonly string[] {
  const { dependencies, peerDependencies } = manifestOf(folder);
  return Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (name) => isForTests || name !== '@pacioli/testing',
  );
}

function projectsOf(folder: string, isForTests: boolean): readonly string[] {
  const testing = join(folder, testingProject);
  return isForTests && existsSync(testing) ? [folder, testing] : [folder];
}

/** Lists the folders of the packages with a `dist`. */
function builtPackages(root: string): readonly string[] {
  const parents = ['plugins', 'hosts', 'hosts/drivers'].map((name) => join(root, name));
  const below = parents.flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)));
  return [...['core', 'conformance'].map((name) => join(root, name)), ...below].filter((folder) => {
    const path = join(folder, 'tsconfig.json');
    return existsSync(path) && readJson<CompilerProject>(path).extends?.endsWith('tsconfig.package.json') === true;
  });
}

function manifestOf(folder: string): Manifest {
  return readJson<Manifest>(join(folder, 'package.json'));
}

/** Reads a JSON file of this repository, whose shape is trusted. */
function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
