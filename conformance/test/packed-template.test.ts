/**
 * Packs every package and installs them in a separate folder.
 * @module-tag full-run
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

/**
 * Goal: the template works in a separate repository with only the published packages of this workspace.
 * Method: pack our packages, copy the template into a temporary folder, install the tarballs there, and run its tests.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const packed = [
  'core',
  'hosts/koa',
  'hosts/drivers/store-postgres',
  'hosts/drivers/graph-ladybug',
  'hosts/testing',
  'conformance',
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pacioli-template-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly scripts: Record<string, string>;
  peerDependencies?: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest; // A package.json of this repository.
}

function run(program: string, words: readonly string[], cwd: string): string {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_OPTIONS$|VITEST|PACIOLI_)/.test(name)),
  );
  return execFileSync(program, words, {
    cwd,
    env: { ...env, NO_COLOR: '1' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
}

it('passes its own tests and the conformance kit against packed packages', { timeout: 300_000 }, () => {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { packageManager: string };
  const tarballs = new Map<string, string>();
  for (const name of packed) {
    run('npx', ['--yes', packageManager, 'pack', '--pack-destination', folder], join(root, name));
    const { name: full, version } = readManifest(join(root, name, 'package.json'));
    tarballs.set(full, `file:${join(folder, `${full.replace('@', '').replace('/', '-')}-${version}.tgz`)}`);
  }
  const copy = join(folder, 'acme-watchlist');
  cpSync(join(root, 'plugins/template'), copy, {
    recursive: true,
    filter: (path) => !/node_modules|\/dist(\/|$)/.test(path.slice(root.length)),
  });
  const manifest = readManifest(join(copy, 'package.json'));
  const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const versionOf = (name: string): string => new RegExp(`^  '?${name}'?: (.+)$`, 'm').exec(workspace)?.[1] ?? '*';
  const resolved = (wanted: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.keys(wanted).map((name) => [name, tarballs.get(name) ?? versionOf(name)]));
  writeFileSync(
    join(copy, 'package.json'),
    JSON.stringify({
      ...manifest,
      name: 'acme-watchlist',
      peerDependencies: undefined,
      dependencies: resolved(manifest.dependencies),
      devDependencies: resolved(manifest.devDependencies),
      overrides: Object.fromEntries(tarballs),
    }),
  );
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], copy);
  // The engine's one install script copies its binary into place.
  run('npm', ['rebuild', '@ladybugdb/core'], copy);
  const output = run('npm', ['test'], copy);
  expect(output).toMatch(/Tests\s+\S*\d+ passed/);
  expect(output).not.toMatch(/failed/);
  expect(readdirSync(join(copy, 'node_modules/@pacioli'))).toContain('core');
});
