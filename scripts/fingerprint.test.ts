import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fingerprint } from './fingerprint.mjs';

let folder: string;
let root: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-fingerprint-'));
  root = join(folder, 'checkout');
  await mkdir(join(root, 'plugins/one/src/queries'), { recursive: true });
  await mkdir(join(root, 'plugins/one/cases'));
  await writeFile(join(root, 'tsconfig.base.json'), '{}');
  await writeFile(join(root, 'plugins/one/package.json'), '{}');
  await writeFile(join(root, 'plugins/one/src/queries/a.ts'), 'export const a = 1;\n');
  await writeFile(join(root, 'plugins/one/cases/first.ts'), 'export default 1;\n');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('the fingerprint of a package', () => {
  it('is the same in a checkout that was copied or moved, so that it is not built again', async () => {
    const before = fingerprint(root, 'plugins/one');
    const copy = join(folder, 'elsewhere', 'copy');
    await cp(root, copy, { recursive: true });
    expect(fingerprint(copy, 'plugins/one')).toBe(before);
    await rename(copy, join(folder, 'moved'));
    expect(fingerprint(join(folder, 'moved'), 'plugins/one')).toBe(before);
  });

  it('changes with each file that a build reads, with its name and with its place', async () => {
    const seen = new Set([fingerprint(root, 'plugins/one')]);
    const changes: readonly (() => Promise<void>)[] = [
      () => writeFile(join(root, 'plugins/one/src/queries/a.ts'), 'export const a = 2;\n'),
      () => rename(join(root, 'plugins/one/src/queries/a.ts'), join(root, 'plugins/one/src/queries/b.ts')),
      () => rename(join(root, 'plugins/one/src/queries/b.ts'), join(root, 'plugins/one/src/b.ts')),
      () => writeFile(join(root, 'plugins/one/cases/first.ts'), 'export default 2;\n'),
      () => writeFile(join(root, 'plugins/one/package.json'), '{"name":"one"}'),
      () => writeFile(join(root, 'tsconfig.base.json'), '{"extends":"x"}'),
    ];
    for (const change of changes) {
      await change();
      seen.add(fingerprint(root, 'plugins/one'));
    }
    expect(seen.size).toBe(1 + changes.length);
  });
});
