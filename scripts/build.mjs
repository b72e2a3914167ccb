/**
 * Compiles the packages into their `dist` folders. Imports no package, because `run.mjs` loads it before they are
 * installed.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The project to compile for each level of `install.mjs`. */
const projects = { service: 'hosts/standalone', development: 'tsconfig.build.json' };

/**
 * Compiles the packages whose sources changed, according to the compiler's build info. It has relative paths and
 * content hashes, so that a copied or moved checkout is not recompiled.
 */
export async function build(root, level, { run, say }) {
  const isBuilt =
    level === 'service'
      ? existsSync(join(root, projects.service, 'dist'))
      : builtPackages(root).every(({ dist }) => existsSync(dist));
  if (!isBuilt) say('Building (the first time takes half a minute) …');
  // Two packages in parallel, one thread each, is faster on two cores than one package on two threads.
  const words = ['-b', join(root, projects[level]), '--builders', '2', '--checkers', '1'];
  const code = await run(join(root, 'node_modules', '.bin', 'tsc'), words);
  if (code !== 0) throw new Error('The sources could not be compiled. See the output above.');
  for (const { source, dist } of builtPackages(root).filter((built) => existsSync(built.dist))) {
    copyAssets(source, dist);
    removeOrphans(source, dist);
  }
}

/** Lists the compiled packages, identified by their shared configuration file. */
function builtPackages(root) {
  const parents = ['plugins', 'hosts', 'hosts/drivers'].filter((parent) => existsSync(join(root, parent)));
  const below = parents.flatMap((parent) => readdirSync(join(root, parent)).map((name) => join(parent, name)));
  return ['core', 'conformance', ...below]
    .map((name) => join(root, name))
    .filter((folder) => {
      const project = join(folder, 'tsconfig.json');
      return existsSync(project) && readFileSync(project, 'utf8').includes('tsconfig.package.json');
    })
    .map((folder) => {
      // A package with several source folders has a subfolder for each in its `dist`.
      const dist = [join(folder, 'dist', 'src'), join(folder, 'dist')].find(existsSync) ?? join(folder, 'dist');
      return { source: join(folder, 'src'), dist };
    });
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** Copies assets that the compiler does not emit, such as SQL, if they are newer than the copy. */
function copyAssets(source, dist) {
  for (const file of filesBelow(source).filter((name) => !name.endsWith('.ts'))) {
    const copy = join(dist, relative(source, file));
    const { mtimeMs } = statSync(file);
    if ((statSync(copy, { throwIfNoEntry: false })?.mtimeMs ?? 0) > mtimeMs) continue;
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(file, copy);
  }
}

/** Removes outputs without a source: a deleted migration must not be applied. */
function removeOrphans(source, dist) {
  for (const file of filesBelow(dist).filter((name) => !name.endsWith('.tsbuildinfo'))) {
    const origin = join(source, relative(dist, file));
    const module = origin.replace(/(\.d\.ts|\.js)(\.map)?$/, '.ts');
    if (!existsSync(origin) && !existsSync(module)) rmSync(file);
  }
}
