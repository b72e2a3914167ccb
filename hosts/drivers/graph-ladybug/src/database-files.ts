import { constants, createReadStream } from 'node:fs';
import { copyFile, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const filesOfDatabase = [
  ...['', '.wal', '.shadow', '.tmp'],
  ...['.stage', '.stage.wal', '.stage.parquet', '.stage.rows-0', '.stage.rows-1'],
];

/** The two files with rows for the stage: one is loaded while the other one is written. */
export const rowFiles = (path: string): readonly [string, string] => [`${path}.stage.rows-0`, `${path}.stage.rows-1`];

/** Removes a database file and those that the engine and the loader keep next to it. */
export async function removeFiles(path: string): Promise<void> {
  for (const end of filesOfDatabase) await rm(`${path}${end}`, { force: true });
}

/** The ends of files that a copy has until it is complete or was read. */
export const partialEnd = '.part';
export const snapshotEnd = '.snapshot-';

/** Longer than any copy takes. */
const leftoverAfterMs = 86_400_000;

/** Removes the copies of processes that were killed; a folder that is not there has none. */
export async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => each.includes(partialEnd) || each.includes(snapshotEnd))) {
    const path = join(folder, name);
    const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > leftoverAfterMs) await rm(path, { force: true });
  }
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

/** Streams a temporary file and removes it at the end, also of a stream that is given up. */
export async function* readAndRemove(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(path, { signal })) yield chunk as Uint8Array; // No encoding: bytes.
  } finally {
    await rm(path, { force: true });
  }
}
