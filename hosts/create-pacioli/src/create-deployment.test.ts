import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDeployment } from './create-deployment.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'pacioli-create-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

describe('createDeployment', () => {
  it('writes a package that is named after its folder, with its plugins in a file (platform H-11)', async () => {
    const folder = await createDeployment(join(parent, 'my-books'));
    expect((await readdir(folder)).sort()).toEqual(['.gitignore', 'README.md', 'pacioli.config.ts', 'package.json']);
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'my-books', scripts: { start: 'pacioli serve' } });
    expect(Object.keys(manifest.dependencies)).toEqual(['@pacioli/standalone']);
    expect(await readFile(join(folder, 'pacioli.config.ts'), 'utf8')).toContain('plugins: [...standardPlugins]');
  });

  it('leaves a folder with files as it is (platform H-11)', async () => {
    await writeFile(join(parent, 'notes.txt'), 'mine');
    await expect(createDeployment(join(parent, 'notes.txt'))).rejects.toThrow('notes.txt is a file.');
    await createDeployment(join(parent, 'books'));
    await expect(createDeployment(join(parent, 'books'))).rejects.toThrow('books is not empty.');
  });

  it.each(['My Books', '2nd', '-x'])('refuses the name %j (platform H-11)', async (name) => {
    await expect(createDeployment(join(parent, name))).rejects.toThrow('cannot be the name of a deployment');
    expect(existsSync(join(parent, name))).toBe(false);
  });
});
