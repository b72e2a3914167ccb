import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { build } from './build.mjs';

// Goal: a build compiles only changed sources, wherever the checkout is located.
// Method: a checkout of one package with the configuration of this one, built by the same function.
const ours = fileURLToPath(new URL('..', import.meta.url));
let folder: string;
let root: string;

const said: string[] = [];
const tools = {
  run: async (program: string, words: readonly string[]) => {
    const { status, stdout } = spawnSync(program, words, { encoding: 'utf8' });
    said.push(stdout);
    return status ?? 1;
  },
  say: (text: string) => said.push(text),
};
const dist = (place: string): string => join(place, 'plugins/one/dist');
/** Rounds to seconds, because a copy does not preserve fractions of a millisecond. */
const builtAt = async (place: string): Promise<number> =>
  Math.trunc((await stat(join(dist(place), 'queries/a.js'))).mtimeMs / 1000);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-build-'));
  root = join(folder, 'checkout');
  await mkdir(join(root, 'plugins/one/src/queries'), { recursive: true });
  await symlink(join(ours, 'node_modules'), join(root, 'node_modules'));
  for (const name of ['tsconfig.base.json', 'tsconfig.package.json']) await cp(join(ours, name), join(root, name));
  await writeFile(join(root, 'tsconfig.build.json'), '{ "files": [], "references": [{ "path": "plugins/one" }] }');
  await writeFile(join(root, 'plugins/one/tsconfig.json'), '{ "extends": "../../tsconfig.package.json" }');
  await writeFile(join(root, 'plugins/one/package.json'), '{ "type": "module" }');
  await writeFile(join(root, 'plugins/one/src/queries/a.ts'), 'export const a = 1;\n');
  await writeFile(join(root, 'plugins/one/src/0001-one.sql'), 'SELECT 1;\n');
  await build(root, 'development', tools);
  // A compilation within the same second would not be visible.
  const hourAgo = new Date(Date.now() - 3_600_000);
  await utimes(join(dist(root), 'queries/a.js'), hourAgo, hourAgo);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the build', () => {
  it('does not recompile a copied or moved checkout', async () => {
    const before = await builtAt(root);
    const copy = join(folder, 'copy');
    await cp(root, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    await build(copy, 'development', tools);
    expect(await builtAt(copy)).toBe(before);
    const moved = join(folder, 'elsewhere');
    await rename(copy, moved);
    await build(moved, 'development', tools);
    expect(await builtAt(moved)).toBe(before);
  });

  it('compiles changed sources, and removes outputs without a source', async () => {
    await writeFile(join(root, 'plugins/one/src/queries/a.ts'), 'export const a = 2;\n');
    await rename(join(root, 'plugins/one/src/0001-one.sql'), join(root, 'plugins/one/src/0002-two.sql'));
    await build(root, 'development', tools);
    expect(await readFile(join(dist(root), 'queries/a.js'), 'utf8')).toContain('a = 2');
    expect((await readdir(dist(root))).sort()).toEqual(['.tsbuildinfo', '0002-two.sql', 'queries']);
  });

  it('fails if a source does not compile', async () => {
    await writeFile(join(root, 'plugins/one/src/queries/a.ts'), 'export const a: string = 2;\n');
    await expect(build(root, 'development', tools)).rejects.toThrow('The sources could not be compiled');
    expect(said.join('')).toContain('TS2322');
  });
});
