import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { install, levelToInstall } from './install.mjs';

describe('levelToInstall', () => {
  it('installs the packages of the command on a fresh checkout, and again after an interruption', () => {
    expect(levelToInstall('service', 'a', undefined, false)).toBe('service');
    expect(levelToInstall('development', 'a', undefined, false)).toBe('development');
  });

  it('installs nothing if the packages of the command are installed', () => {
    expect(levelToInstall('service', 'a', { packages: 'a', level: 'service' }, false)).toBeUndefined();
    expect(levelToInstall('development', 'a', { packages: 'a', level: 'development' }, true)).toBeUndefined();
  });

  it('adds the development packages for tests after a start, and keeps them at the next start', () => {
    expect(levelToInstall('development', 'a', { packages: 'a', level: 'service' }, false)).toBe('development');
    expect(levelToInstall('service', 'a', { packages: 'a', level: 'development' }, true)).toBeUndefined();
  });

  it('keeps the installed level when the lockfile has changed', () => {
    expect(levelToInstall('service', 'b', { packages: 'a', level: 'service' }, false)).toBe('service');
    expect(levelToInstall('service', 'b', { packages: 'a', level: 'development' }, true)).toBe('development');
    expect(levelToInstall('development', 'b', { packages: 'a', level: 'service' }, false)).toBe('development');
  });

  it('keeps development packages that were installed without a stamp', () => {
    expect(levelToInstall('service', 'a', undefined, true)).toBe('development');
  });
});

// Goal: the calls of the package manager and the output in the terminal are right.
// Method: a checkout without packages, and a package manager that installs a package of two megabytes.
describe('install', () => {
  let root: string;
  let said: string[];
  let asked: (readonly string[])[];
  const tools = (code: number, added: string) => ({
    run: async (_program: string, words: readonly string[]) => {
      asked.push(words);
      await mkdir(join(root, 'node_modules/.pnpm', added, 'node_modules'), { recursive: true });
      await writeFile(join(root, 'node_modules/.pnpm', added, 'node_modules/binary'), Buffer.alloc(2_000_000));
      return code;
    },
    say: (text: string) => said.push(text),
  });

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'pacioli-install-'));
    said = [];
    asked = [];
    await writeFile(join(root, 'pnpm-lock.yaml'), 'lockfileVersion: 9.0\n');
    await writeFile(join(root, 'package.json'), '{ "packageManager": "pnpm@10.34.9" }');
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });

  it('reports what it installed: first the service packages, then only the rest, then nothing', async () => {
    await install(root, 'service', tools(0, 'one@1.0.0'));
    expect(asked[0]).toContain('--prod');
    expect(said[0]).toBe('Installing the packages of the service …');
    expect(said[1]).toMatch(/^Installed the packages of the service: 1 package, 2 MB, in \d+ s\.$/);
    await install(root, 'development', tools(0, 'two@1.0.0'));
    expect(asked[1]).not.toContain('--prod');
    expect(said[3]).toMatch(/^Installed the development packages: 1 package, 2 MB, in \d+ s\.$/);
    await install(root, 'service', tools(0, 'three@1.0.0'));
    await install(root, 'development', tools(0, 'three@1.0.0'));
    expect(asked).toHaveLength(2);
    expect(said).toHaveLength(4);
  });

  it('does not treat a failed installation as complete, even after a complete one', async () => {
    const failed = 'The packages could not be installed';
    await expect(install(root, 'service', tools(1, 'one@1.0.0'))).rejects.toThrow(failed);
    await install(root, 'service', tools(0, 'one@1.0.0'));
    await expect(install(root, 'development', tools(1, 'two@1.0.0'))).rejects.toThrow(failed);
    await install(root, 'service', tools(0, 'two@1.0.0'));
    expect(asked.map((words) => words.includes('--prod'))).toEqual([true, true, false, true]);
  });

  it('reads the record of a package manager that was run by hand', async () => {
    await mkdir(join(root, 'node_modules'));
    await writeFile(join(root, 'node_modules/.modules.yaml'), '{ "included": { "devDependencies": true } }');
    await install(root, 'service', tools(0, 'one@1.0.0'));
    expect(asked[0]).not.toContain('--prod');
    const stamp = await readFile(join(root, 'node_modules/.cache/pacioli/installed'), 'utf8');
    expect(JSON.parse(stamp)).toMatchObject({ level: 'development' });
  });
});
