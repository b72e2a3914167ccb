/**
 * Creates databases, which takes seconds each, and kills a process during creation.
 * @module-tag full-run
 */
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { embeddedStore } from './embedded-store.ts';
import { startWriter } from './test-programs/start-writer.ts';

describe('create-database', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-embedded-'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  it('opens a folder whose first start was killed while the database was created (platform H-4a)', async () => {
    const child = startWriter(folder);
    const ended = once(child, 'exit');
    await versionFileIn(folder);
    child.kill('SIGKILL');
    await ended;
    expect(existsSync(join(folder, 'data', 'PG_VERSION'))).toBe(false);
    const store = await embeddedStore({ folder });
    try {
      expect(await store.health()).toMatchObject({ reachable: true });
      expect(await readdir(folder)).toEqual(['data', 'owner.pid']);
    } finally {
      await store.close();
    }
  });

  it('refuses a symbolic link in its place, and leaves no other files', async () => {
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), join(folder, 'data'));
    await expect(embeddedStore({ folder })).rejects.toMatchObject({
      name: 'StoreError',
      message: expect.stringContaining('it is a link, a mount point'),
    });
    expect((await readdir(folder)).sort()).toEqual(['data', 'elsewhere']);
  });

  it('denies other users access to its files, and removes the folder of an in-memory store', async () => {
    vi.stubEnv('TMPDIR', folder);
    const store = await embeddedStore({ folder: 'memory' });
    const [made = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect((await stat(join(folder, made, 'data'))).mode & 0o077).toBe(0);
    await store.close();
    expect(await readdir(folder)).toEqual([]);
  });
});

/** Resolves while the files of a new database are being written, once the version file that marks a database exists. */
async function versionFileIn(folder: string): Promise<void> {
  const isRegistered = () => readdirSync(folder).some((name) => existsSync(join(folder, name, 'PG_VERSION')));
  await vi.waitUntil(isRegistered, { interval: 1, timeout: 300_000 });
}
