/** Cached data folders of the embedded engine: creating one takes seconds, copying one a fraction of a second. */
import { cpSync } from 'node:fs';
import { access, constants, mkdir, mkdtemp, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EmbeddedEngine } from '../embedded-engine.ts';
import { embeddedStore } from '../embedded-store.ts';
import { keyOfContent, type PreparedContent, writeContent } from './prepared-content.ts';

const cache = fileURLToPath(new URL('../../node_modules/.cache/pacioli-stores/', import.meta.url));
const copyPattern = /^pacioli-test-(\d+)-/;
const minFreeMemoryBytes = 4 * 1024 ** 3;
/** More than one run of all suites creates; each has about 40 MB. */
const maxFolders = 48;

const known = new Map<string, Promise<string>>();

/** Copies the folder with the content, or an empty data folder, to the fastest storage. Returns the copy. */
export async function copyDataFolder(engine: EmbeddedEngine, content?: PreparedContent): Promise<string> {
  const name = `${await keyOfContent(content)}-${await engineVersion()}`;
  let origin = known.get(name);
  if (origin === undefined) {
    origin = keptFolder(name, engine, content);
    known.set(name, origin);
    // Dropped on failure, so that the next test tries to make the content again.
    origin.catch(() => known.delete(name));
  }
  const kept = await origin;
  const folder = await mkdtemp(join(await fastestTemporaryFolder(), `pacioli-test-${process.pid}-`));
  // A thousand small files: the synchronous copy takes half the time of the asynchronous one.
  cpSync(kept, folder, { recursive: true });
  return folder;
}

async function keptFolder(name: string, engine: EmbeddedEngine, content: PreparedContent | undefined): Promise<string> {
  const folder = join(cache, name);
  const now = new Date();
  if (await exists(folder)) {
    await utimes(folder, now, now);
    return folder;
  }
  await mkdir(cache, { recursive: true });
  const fresh = content === undefined ? await mkdtemp(join(cache, 'new-')) : await copyDataFolder(engine);
  try {
    const store = await embeddedStore({ folder: fresh, engine });
    try {
      if (content !== undefined) await writeContent(store, content);
    } finally {
      await store.close();
    }
    await keep(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  await removeOldest();
  return folder;
}

/** Renames a finished copy into place, so that no process copies a partial one. */
async function keep(fresh: string, folder: string): Promise<void> {
  const copy = await mkdtemp(join(cache, 'new-'));
  cpSync(fresh, copy, { recursive: true });
  // Another test process may have been first; its folder is equivalent.
  await rename(copy, folder).catch(() => rm(copy, { recursive: true, force: true }));
}

async function removeOldest(): Promise<void> {
  const names = await readdir(cache);
  const aged = await Promise.all(
    names.map(async (name) => ({ name, age: (await stat(join(cache, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  aged.sort((a, b) => b.age - a.age);
  for (const { name } of aged.slice(maxFolders)) await rm(join(cache, name), { recursive: true, force: true });
}

/** Removes the copies of killed processes, each of which takes 40 MB, possibly of memory. */
export async function removeAbandonedFolders(): Promise<void> {
  const parent = await fastestTemporaryFolder();
  const abandoned = (await readdir(parent)).filter((name) => {
    const [, pid] = copyPattern.exec(name) ?? [];
    return pid !== undefined && !isRunning(Number(pid));
  });
  for (const name of abandoned) await rm(join(parent, name), { recursive: true, force: true });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Shared memory where Linux has enough (creating a thousand files on disk takes a second), else the temp folder. */
async function fastestTemporaryFolder(): Promise<string> {
  const memory = '/dev/shm';
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize >= minFreeMemoryBytes ? memory : tmpdir();
  } catch {
    // Not Linux, or not writable.
    return tmpdir();
  }
}

async function engineVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { size, mtimeMs } = await stat(join(dirname(entry), 'pglite.wasm'));
  return `${size}-${Math.trunc(mtimeMs)}`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
