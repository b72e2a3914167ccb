/**
 * Compiles the packages into their `dist` folders. Imports no package, because `run.mjs` loads it before they are
 * installed.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** What each level of `install.mjs` has the packages to compile. */
const projects = { service: 'hosts/standalone', development: 'tsconfig.build.json' };

/**
 * Compiles the packages whose sources changed. The compiler's own records say which: they hold relative paths and the
 * contents of files, so that a checkout that was copied or moved is not compiled again.
 */
export async function build(root, level, { run, say }) {
  const isBuilt =
    level === 'service'
      ? existsSync(join(root, projects.service, 'dist'))
      : builtPackages(root).every(({ dist }) => existsSync(dist));
  if (!isBuilt) say('Building (the first time takes half a minute) …');
  // Two packages at once, one thread each: faster on two processors than one package on two threads.
  const words = ['-b', join(root, projects[level]), '--builders', '2', '--checkers', '1'];
  const code = await run(join(root, 'node_modules', '.bin', 'tsc'), words);
  if (code !== 0) throw new Error('The sources could not be compiled. The lines above say why.');
  for (const { source, dist } of builtPackages(root).filter((built) => existsSync(built.dist))) {
    copyAssets(source, dist);
    removeOrphans(source, dist);
  }
}

/** Every package that is compiled, found by the configuration that such packages share. */
function builtPackages(root) {
  const parents = ['plugins', 'hosts', 'hosts/drivers'].filter((parent) => existsSync(join(root, parent)));
  const below = parents.flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name)));
  return ['core', 'testing', 'conformance', ...below]
    .map((name) => join(root, name))
    .filter((folder) => {
      const project = join(folder, 'tsconfig.json');
      return existsSync(project) && readFileSync(project, 'utf8').includes('tsconfig.package.json');
    })
    .map((folder) => {
      // A package with more than one folder of sources has them side by side in its `dist`.
      const dist = [join(folder, 'dist', 'src'), join(folder, 'dist')].find(existsSync) ?? join(folder, 'dist');
      return { source: join(folder, 'src'), dist };
    });
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** Copies what the compiler does not write, such as SQL, when it is newer than the copy. */
function copyAssets(source, dist) {
  for (const file of filesBelow(source).filter((name) => !name.endsWith('.ts'))) {
    const copy = join(dist, relative(source, file));
    const { mtimeMs } = statSync(file);
    if ((statSync(copy, { throwIfNoEntry: false })?.mtimeMs ?? 0) > mtimeMs) continue;
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(file, copy);
  }
}

/** Removes what earlier sources left behind: a migration that no longer exists must not be applied. */
function removeOrphans(source, dist) {
  for (const file of filesBelow(dist).filter((name) => !name.endsWith('.tsbuildinfo'))) {
    const origin = join(source, relative(dist, file));
    const module = origin.replace(/(\.d\.ts|\.js)(\.map)?$/, '.ts');
    if (!existsSync(origin) && !existsSync(module)) rmSync(file);
  }
}
