/**
 * Packs every package and installs them in a separate folder.
 * @module-tag full-run
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

interface Manifest extends Record<(typeof dependencyFields)[number], Record<string, string>> {
  overrides?: Readonly<Record<string, string>>;
}

type Tarballs = Readonly<Record<string, string>>;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pacioli-packed-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function run(program: string, words: readonly string[], cwd: string): string {
  const env = Object.fromEntries(
    Object.entries(environmentWithoutSettings()).filter(
      ([name]) => !/^(npm_|INIT_CWD|NODE_OPTIONS$|VITEST)/.test(name),
    ),
  );
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
function installTarballs(plugin: string, tarballs: Tarballs): void {
  const path = join(plugin, 'package.json');
  const manifest = readJson<Manifest>(path);
  for (const field of dependencyFields) {
    for (const name of Object.keys(manifest[field])) {
      const tarball = tarballs[name];
      if (tarball !== undefined) manifest[field][name] = tarball;
    }
  }
  manifest.overrides = tarballs;
  writeFileSync(path, JSON.stringify(manifest));
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], plugin);
}

it('creates a plugin that passes its tests and packs, from packages alone (platform H-8)', { timeout: 900_000 }, () => {
  run('node', [join(root, 'scripts/run.mjs'), 'pack', folder], root);
  const tarballs = readJson<Tarballs>(join(folder, 'packages.json'));
  const creator = tarballs['create-pacioli-plugin'] ?? '';
  run('npm', ['exec', '--yes', `--package=${creator}`, '--', 'create-pacioli-plugin', 'expense-claims'], folder);
  const plugin = join(folder, 'expense-claims');
  installTarballs(plugin, tarballs);
  // Renaming the plugin gave the same files as generating them.
  expect(run('npm', ['run', 'gen'], plugin)).not.toContain('wrote');
  run('npm', ['run', 'check'], plugin);
  const output = run('npm', ['test'], plugin);
  expect(output).toMatch(/Tests\s+\S*\d+ passed/);
  expect(output).not.toMatch(/failed/);
  run('npm', ['pack'], plugin);
  const packed = run('tar', ['-tzf', 'pacioli-plugin-expense-claims-0.1.0.tgz'], plugin);
  expect(packed).toContain('package/dist/migrations/0001-watchlist.sql');
  expect(packed).toContain('package/dist/index.d.ts');
  expect(readdirSync(join(plugin, 'node_modules/@pacioli'))).toContain('core');
});
