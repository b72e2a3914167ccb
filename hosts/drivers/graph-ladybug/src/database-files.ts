import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { chmod, copyFile, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The end of a file that is not complete. */
export const partialEnd = '.part';

const filesOfDatabase = [
  ...['', '.wal', '.wal.unreadable', '.shadow', '.tmp', partialEnd],
  ...['.stage', '.stage.wal', '.stage.parquet', '.stage.rows-0', '.stage.rows-1'],
];

/** The two files with rows for the stage: one is loaded while the other one is written. */
export const rowFiles = (path: string): readonly [string, string] => [`${path}.stage.rows-0`, `${path}.stage.rows-1`];

/** Removes a database file, complete or not, and those that the engine and the loader keep next to it. */
export async function removeFiles(path: string): Promise<void> {
  for (const end of filesOfDatabase) await rm(`${path}${end}`, { force: true });
}

/** The end of a snapshot until it was read: the process that reads it, and a part that makes it unique. */
const snapshotEnd = '.snapshot-';
export const snapshotOf = (path: string): string => `${path}${snapshotEnd}${process.pid}-${randomUUID()}`;

/** True for a file that belongs to no database: incomplete, or a snapshot. */
export const isTemporary = (name: string): boolean => name.includes(partialEnd) || name.includes(snapshotEnd);

/** Longer than any copy takes. */
const leftoverAfterMs = 86_400_000;

/**
 * Removes the copies of processes that were killed, of all databases or of the one whose file has this name. A folder
 * that is not there has none.
 */
export async function removeLeftovers(folder: string, database = ''): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => isTemporary(each) && each.startsWith(database))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && isLeftover(name, found.mtimeMs)) await rm(path, { force: true });
  }
}

/** True if no process can still read or complete the file. */
function isLeftover(name: string, modifiedMs: number): boolean {
  if (Date.now() - modifiedMs > leftoverAfterMs) return true;
  const owner = Number(/\.snapshot-(\d+)-/.exec(name)?.[1] ?? Number.NaN);
  if (Number.isNaN(owner)) return false;
  // A process in a container gets the id of the one that was killed before it.
  if (owner === process.pid) return modifiedMs < Date.now() - process.uptime() * 1_000;
  return !isRunning(owner);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any other failure, such as that of a process of another user, shows that it exists.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Removes the access of other users to a folder that an earlier version created. A folder of another user stays as it is. */
export async function closeFolder(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
}

/** Copies a file, as a clone where the file system can, and waits until the copy is durable. */
export async function copyDurably(path: string, to: string): Promise<void> {
  await copyFile(path, to, constants.COPYFILE_FICLONE);
  await syncToDisk(to);
}

export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Streams a temporary file and removes it at the end, also of a stream that is abandoned. */
export async function* readAndRemove(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { signal })) yield chunk as Uint8Array; // No encoding: bytes.
  } finally {
    await rm(path, { force: true });
  }
}
