import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { definePlugin } from '@pacioli/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shippedContent } from './shipped-content.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pacioli-package-'));
  for (const name of ['src/migrations', 'data', 'test']) await mkdir(join(folder, name), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function versionOf(tables: NonNullable<Parameters<typeof definePlugin>[0]['tables']>): string {
  const migrations = pathToFileURL(join(folder, 'src/migrations/'));
  const plugin = definePlugin({ name: 'parts', title: 'Parts', version: '1.0.0', kernel: '*', migrations, tables });
  return shippedContent([plugin]).version;
}

describe('the version of prepared stores', () => {
  const shared = { parts_list: { sharedGraph: 'library' } };

  it('changes with the data of a plugin that ships rows, but not with its tests', async () => {
    const before = versionOf(shared);
    await writeFile(join(folder, 'test', 'parts.test.ts'), '');
    expect(versionOf(shared)).toBe(before);
    await writeFile(join(folder, 'data', 'parts.json'), '[]');
    expect(versionOf(shared)).not.toBe(before);
  });

  it('does not depend on the files of a plugin that ships only tables', async () => {
    const before = versionOf({});
    await writeFile(join(folder, 'data', 'parts.json'), '[]');
    expect(versionOf({})).toBe(before);
  });
});
