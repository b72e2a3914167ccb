/**
 * What `npm start`, `npm test` and the other commands do: set up what is missing, then run. Plain Node, no packages,
 * so that a fresh machine needs nothing but Node and npm.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'pacioli');
const node_min = [20, 19];

const [command = 'start', ...rest] = process.argv.slice(2);
const isQuiet = command === 'pacioli';

try {
  checkNode();
  await install();
  process.exitCode = await commands()[command]?.();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function commands() {
  return {
    start: async () => {
      await build();
      return run(process.execPath, ['hosts/standalone/dist/main.js', 'serve', ...rest], { isServer: true });
    },
    pacioli: async () => {
      await build();
      return run(process.execPath, [join(root, 'hosts/standalone/dist/main.js'), ...rest], {
        cwd: process.env.INIT_CWD,
        isServer: true,
      });
    },
    build: async () => {
      await build();
      return 0;
    },
    gen: () => tsx('scripts/gen.ts', rest),
    format: () => run(bin('biome'), ['check', '--write', ...rest]),
    check: () => inTurn(checks()),
    bench: async () => {
      await build();
      return tsx('benchmarks/run.ts', rest);
    },
    test: async () => {
      await build();
      return tsx('scripts/test.ts', rest);
    },
    'test:all': async () => {
      await build();
      return tsx('scripts/test.ts', ['--all', ...rest]);
    },
  };
}

function checks() {
  return [
    ['generated lists', () => tsx('scripts/gen.ts', ['--check'])],
    ['format and lint', () => run(bin('biome'), ['check', '--error-on-warnings'])],
    ['types', () => run(bin('tsc'), ['-p', 'tsconfig.json'])],
    [
      'boundaries',
      () =>
        run(bin('depcruise'), [
          '--config',
          '.dependency-cruiser.cjs',
          '--output-type',
          'err',
          'core',
          'plugins',
          'hosts',
          'testing',
          'conformance',
        ]),
    ],
    ['unused code', () => run(bin('knip'), [])],
    // Counts, arcs, weights, sides and reachability of what is shipped (taxonomy LB-3).
    ['shipped frameworks', () => run(bin('vitest'), ['run', 'plugins/taxonomy/src/domain/check-framework.test.ts'])],
  ];
}

function checkNode() {
  const have = process.versions.node.split('.').map(Number);
  if (have[0] > node_min[0] || (have[0] === node_min[0] && have[1] >= node_min[1])) return;
  throw new Error(
    `Pacioli needs Node ${node_min.join('.')} or newer; this is ${process.versions.node}. Install a newer Node and run the command again.`,
  );
}

/** Installs the packages of the lockfile when it changed since the last time. */
async function install() {
  const stamp = join(cache, 'installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'pnpm-lock.yaml')))
    .update(process.version)
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Installing packages (the first time takes a minute) …');
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const code = await run(
    'npx',
    ['--yes', packageManager, 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only'],
    { isHushed: isQuiet },
  );
  if (code !== 0)
    throw new Error(
      'The packages could not be installed. The lines above say why; run the command again when that is mended.',
    );
  mkdirSync(cache, { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Compiles the packages whose sources changed. The compiler's own records say which, also in a copied checkout. */
async function build() {
  if (builtPackages().some(({ dist }) => !existsSync(dist))) say('Building (the first time takes half a minute) …');
  // Two packages at once, one thread each: faster on two processors than one package on two threads.
  const code = await run(bin('tsc'), ['-b', 'tsconfig.build.json', '--builders', '2', '--checkers', '1']);
  if (code !== 0) throw new Error('The sources could not be compiled. The lines above say why.');
  for (const { source, dist } of builtPackages()) {
    copyAssets(source, dist);
    removeOrphans(source, dist);
  }
}

/** Every package that is compiled, found by the configuration that such packages share. */
function builtPackages() {
  const parents = ['plugins', 'hosts', 'hosts/drivers'];
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
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]));
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

function bin(name) {
  return join(root, 'node_modules', '.bin', name);
}

function tsx(script, args) {
  return run(process.execPath, ['--import', 'tsx', '--conditions=@pacioli/source', script, ...args]);
}

async function inTurn(steps) {
  for (const [name, step] of steps) {
    say(`Checking ${name} …`);
    const code = await step();
    if (code !== 0) return code;
  }
  return 0;
}

/** Runs a program in this terminal. A server gets the signals that end this process, and ends it when it ends. */
function run(program, args, { cwd = root, isServer = false, isHushed = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: isHushed ? ['ignore', 'ignore', 'inherit'] : 'inherit' });
    const forward = (signal) => child.kill(signal);
    if (isServer) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 128));
  });
}

function say(text) {
  console[isQuiet ? 'error' : 'log'](text);
}
