/**
 * Packs every package and installs them in a separate folder.
 * @module-tag full-run
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { environmentWithoutSettings } from '@pacioli/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

/**
 * Goal: a plugin is created, generated, checked, tested and packed with npm alone and only the published packages.
 * Method: pack our packages, create a plugin from the tarball in a folder outside of the workspace, replace the versions
 * of our packages by the tarballs, and run the scripts of its package.json.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const dependencyFields = ['peerDependencies', 'dependencies', 'devDependencies'] as const;

interface Manifest extends Partial<Record<(typeof dependencyFields)[number], Record<string, string>>> {
  overrides?: Readonly<Record<string, string>>;
}

const maxServeMs = 120_000;
const maxPackMs = 300_000;

type Tarballs = Readonly<Record<string, string>>;

let folder: string;
let tarballs: Tarballs;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pacioli-packed-'));
  run('node', [join(root, 'scripts/run.mjs'), 'pack', folder], root);
  tarballs = readJson<Tarballs>(join(folder, 'packages.json'));
}, maxPackMs);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const env = Object.fromEntries(
  Object.entries(environmentWithoutSettings()).filter(([name]) => !/^(npm_|INIT_CWD|NODE_OPTIONS$|VITEST)/.test(name)),
);

function run(program: string, words: readonly string[], cwd: string): string {
  return execFileSync(program, words, {
    cwd,
    env: { ...env, NO_COLOR: '1' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T; // A file that this test or the packing wrote.
}

/** As if the packages had been published: the tarballs take the place of their versions. */
function installTarballs(plugin: string, words: readonly string[] = []): void {
  const path = join(plugin, 'package.json');
  const manifest = readJson<Manifest>(path);
  for (const field of dependencyFields) {
    for (const name of Object.keys(manifest[field] ?? {})) {
      const tarball = tarballs[name];
      if (tarball !== undefined) manifest[field] = { ...manifest[field], [name]: tarball };
    }
  }
  manifest.overrides = tarballs;
  writeFileSync(path, JSON.stringify(manifest));
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...words], plugin);
}

type UntilDescribedAs = (summary: string) => Promise<void>;

/** Runs a script that serves; the work can wait until the OpenAPI document has a text. */
async function whileServing(
  cwd: string,
  script: string,
  work: (untilDescribedAs: UntilDescribedAs) => Promise<void>,
): Promise<void> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo; // A listening TCP server has one.
  probe.close();
  const host = spawn('npm', ['run', script], {
    cwd,
    env: { ...env, PORT: String(port), DEMO: 'off' },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  });
  const exited = once(host, 'exit');
  const untilDescribedAs: UntilDescribedAs = async (summary) => {
    const deadline = Date.now() + maxServeMs;
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/openapi.json`).catch(() => undefined);
      if (answer?.status === 200 && (await answer.text()).includes(summary)) return;
      if (Date.now() > deadline) throw new Error(`npm run ${script} does not serve "${summary}".`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  try {
    await work(untilDescribedAs);
  } finally {
    if (host.pid !== undefined) process.kill(-host.pid, 'SIGTERM'); // npm, its shell and the host are one group.
    await exited;
  }
}

it('creates a plugin that passes its tests and packs, from packages alone (platform H-8)', {
  timeout: 900_000,
}, async () => {
  const creator = tarballs['create-pacioli-plugin'] ?? '';
  run('npm', ['exec', '--yes', `--package=${creator}`, '--', 'create-pacioli-plugin', 'expense-claims'], folder);
  const plugin = join(folder, 'expense-claims');
  installTarballs(plugin);
  // Renaming the plugin gave the same files as generating them.
  expect(run('npm', ['run', 'gen'], plugin)).not.toContain('wrote');
  run('npm', ['run', 'check'], plugin);
  // A failed test ends it with another code than 0, which throws.
  expect(run('npm', ['test'], plugin)).toMatch(/Tests\s+\S*\d+ passed/);
  await whileServing(plugin, 'dev', async (untilDescribedAs) => {
    await untilDescribedAs('Adds a security');
    const file = join(plugin, 'src/operations/watch-security.ts');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Adds a security', 'Puts a security'));
    await untilDescribedAs('Puts a security');
  });
  run('npm', ['pack'], plugin);
  const packed = run('tar', ['-tzf', 'pacioli-plugin-expense-claims-0.1.0.tgz'], plugin);
  expect(packed).toContain('package/dist/migrations/0001-watchlist.sql');
  expect(packed).toContain('package/dist/index.d.ts');
  expect(readdirSync(join(plugin, 'node_modules/@pacioli'))).toContain('core');
});

/** The limit of disk space for the production dependencies. LanceDB takes 200 of it. */
const maxInstalledMb = 540;

it('creates a small deployment that starts, from packages alone (platform H-11)', { timeout: 900_000 }, async () => {
  const creator = tarballs['create-pacioli'] ?? '';
  const plugins = tarballs['create-pacioli-plugin'] ?? '';
  const packages = [`--package=${plugins}`, `--package=${creator}`];
  run('npm', ['exec', '--yes', ...packages, '--', 'create-pacioli', 'my-books'], folder);
  const deployment = join(folder, 'my-books');
  installTarballs(deployment, ['--omit=dev']);
  const [megabytes = ''] = run('du', ['-sm', 'node_modules'], deployment).split('\t');
  expect(Number(megabytes)).toBeLessThanOrEqual(maxInstalledMb);
  await whileServing(deployment, 'start', (untilDescribedAs) => untilDescribedAs('create_event_block'));
});
