/**
 * The entry point of `npm start`, `npm test` and the other commands: installs missing packages, then runs. Plain Node
 * without packages, so that a fresh machine needs only Node and npm.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { pack } from './pack.mjs';
import { serviceEnvironment, serviceFlags } from './service-process.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const minNodeVersion = [20, 19];
/** The interval at which a server's process checks that its parent is still alive. */
const parentPollMs = 500;

const [command = 'start', ...rest] = process.argv.slice(2);
const isQuiet = command === 'pacioli';
/** A deployment and its build need only some of the packages. */
const level = command === 'start' || command === 'pacioli' ? 'service' : 'development';

try {
  checkNode();
  await install(root, level, {
    say,
    run: (program, words) => run(program, words, { isHushed: isQuiet }),
  });
  process.exitCode = await commands()[command]?.();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function commands() {
  return {
    start: async () => {
      await build(root, level, { run, say });
      const words = [...serviceFlags, 'hosts/standalone/dist/main.js', 'serve', ...rest];
      return run(process.execPath, words, { isServer: true, env: { ...serviceEnvironment, ...process.env } });
    },
    pacioli: async () => {
      await build(root, level, { run, say });
      return run(process.execPath, [join(root, 'hosts/standalone/dist/main.js'), ...rest], {
        cwd: process.env.INIT_CWD,
        isServer: true,
      });
    },
    build: async () => {
      await build(root, level, { run, say });
      return 0;
    },
    pack: async () => {
      await build(root, level, { run, say });
      await pack(root, rest[0], { run, say });
      return 0;
    },
    gen: () => tsx('scripts/gen.ts', rest),
    // With `--serve`, shows the pages as they are written.
    docs: () =>
      rest[0] === '--serve'
        ? run(bin('vitepress'), ['dev', 'docs', '--host', '127.0.0.1', ...rest.slice(1)], { isServer: true })
        : run(bin('vitepress'), ['build', 'docs', ...rest]),
    format: () => run(bin('biome'), ['check', '--write', ...rest]),
    check: () => inTurn(checks()),
    bench: async () => {
      await build(root, level, { run, say });
      // In the circumstances of `npm start`.
      const env = { ...serviceEnvironment, NODE_ENV: 'production', ...process.env };
      return tsx('benchmarks/run.ts', rest, { env, flags: serviceFlags });
    },
    // Each run of vitest builds first (scripts/test-environment.ts).
    test: () => tsx('scripts/test.ts', rest),
    'test:all': () => tsx('scripts/test.ts', ['--all', ...rest]),
    'test:stress': () => tsx('scripts/test.ts', ['--stress', ...rest]),
  };
}

function checks() {
  return [
    ['generated lists', () => tsx('scripts/gen.ts', ['--check'])],
    ['changesets', () => tsx('scripts/check-changesets.ts', [])],
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
          'conformance',
        ]),
    ],
    ['unused code', () => run(bin('knip'), [])],
    // Checks counts, arcs, weights, sides and reachability of the shipped frameworks (taxonomy LB-3).
    ['shipped frameworks', () => run(bin('vitest'), ['run', 'plugins/taxonomy/src/library/check-framework.test.ts'])],
  ];
}

function checkNode() {
  const have = process.versions.node.split('.').map(Number);
  if (have[0] > minNodeVersion[0] || (have[0] === minNodeVersion[0] && have[1] >= minNodeVersion[1])) return;
  throw new Error(
    `Pacioli needs Node ${minNodeVersion.join('.')} or newer; this is ${process.versions.node}. Install a newer Node and run the command again.`,
  );
}

function bin(name) {
  return join(root, 'node_modules', '.bin', name);
}

function tsx(script, args, { flags = [], ...options } = {}) {
  const words = [...flags, '--import', 'tsx', '--conditions=@pacioli/source', script, ...args];
  return run(process.execPath, words, options);
}

async function inTurn(steps) {
  for (const [name, step] of steps) {
    say(`Checking ${name} …`);
    const code = await step();
    if (code !== 0) return code;
  }
  return 0;
}

/** Runs a program in this terminal. A server gets the signals that end this process, and its exit ends this process. */
function run(program, args, { cwd = root, env = process.env, isServer = false, isHushed = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: isHushed ? ['ignore', 'ignore', 'inherit'] : 'inherit' });
    const forward = (signal) => child.kill(signal);
    if (isServer) {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
      // The shell that npm starts for a script exits on a signal without forwarding it; its children then get another
      // parent.
      const parent = process.ppid;
      const watch = setInterval(() => {
        if (process.ppid !== parent) child.kill('SIGTERM');
      }, parentPollMs);
      watch.unref();
    }
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 128));
  });
}

function say(text) {
  console[isQuiet ? 'error' : 'log'](text);
}
