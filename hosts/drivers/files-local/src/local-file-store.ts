import { randomUUID } from 'node:crypto';
import { constants, createReadStream, type Dirent } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type FileInfo, type FileStore, FileStoreError, isFileKey, type WriteOptions } from '@pacioli/core/ports';

export interface LocalFilesOptions {
  /** Where the files live; nothing else writes there. It is created when the first file is written. */
  readonly folder: string;
}

/** Unfinished files, which `list` and `read` never see. */
const unfinished = '.unfinished';
/** Nothing was written to such a file for so long that its process must be gone. */
const leftoverAfterMs = 86_400_000;

/** The file store in a folder: one file for each key, with the segments of the key as folders. */
export function localFileStore({ folder }: LocalFilesOptions): FileStore {
  return new LocalFileStore(folder);
}

class LocalFileStore implements FileStore {
  readonly driver = 'local';
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(key: string, chunks: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<FileInfo> {
    const path = this.#path(key);
    const partial = join(this.#folder, unfinished, randomUUID());
    try {
      await mkdir(dirname(partial), { recursive: true, mode: 0o700 });
      await removeLeftovers(dirname(partial));
      await writeDurably(partial, chunks, options);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(partial, path);
      await syncFolders(dirname(path), this.#folder);
      return await infoOf(key, path);
    } catch (error) {
      await rm(partial, { force: true });
      throw failureOf(error, options.signal);
    }
  }

  async read(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const path = this.#path(key);
    // Opened here, so that a missing file fails before the first chunk, and a file removed later is read to its end.
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
      throw failureOf(error, signal);
    });
    return chunksOf(handle, signal);
  }

  async info(key: string): Promise<FileInfo | undefined> {
    try {
      return await infoOf(key, this.#path(key));
    } catch (error) {
      const failure = failureOf(error);
      if (failure.code === 'missing') return undefined;
      throw failure;
    }
  }

  async remove(key: string): Promise<void> {
    const path = this.#path(key);
    try {
      await rm(path, { force: true });
      await this.#removeEmptyFolders(dirname(path));
    } catch (error) {
      throw failureOf(error);
    }
  }

  async *list(prefix: string): AsyncGenerator<FileInfo> {
    const slash = prefix.lastIndexOf('/');
    const start = prefix.slice(0, Math.max(slash, 0));
    if (start !== '') this.#path(start);
    // Sweeps list files, also where none is written any more.
    await removeLeftovers(join(this.#folder, unfinished));
    for await (const info of walk(join(this.#folder, start), start)) if (info.key.startsWith(prefix)) yield info;
  }

  async uploadUrl(): Promise<undefined> {
    return undefined;
  }

  async downloadUrl(): Promise<undefined> {
    return undefined;
  }

  async probe(): Promise<boolean> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      return true;
    } catch {
      // Any reason means that files cannot be stored now.
      return false;
    }
  }

  async close(): Promise<void> {
    // Nothing stays open between calls.
  }

  #path(key: string): string {
    if (!isFileKey(key) || key.startsWith(`${unfinished}/`) || key === unfinished)
      throw new FileStoreError('invalid-key', 'This is not a valid key of a file.');
    return join(this.#folder, key);
  }

  /** Removes the folders that a removed file leaves empty, up to the store's own. */
  async #removeEmptyFolders(path: string): Promise<void> {
    let folder = path;
    while (folder.length > this.#folder.length) {
      try {
        await rmdir(folder);
      } catch {
        // It has other files, or another request removed it.
        return;
      }
      folder = dirname(folder);
    }
  }
}

async function writeDurably(path: string, chunks: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const chunk of chunks) {
      options.signal.throwIfAborted();
      bytes += chunk.byteLength;
      if (bytes > options.maxBytes)
        throw new FileStoreError('too-large', `The file is longer than ${options.maxBytes} bytes.`);
      await handle.writeFile(chunk);
    }
    options.signal.throwIfAborted();
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes the unfinished files of processes that were killed. */
async function removeLeftovers(folder: string): Promise<void> {
  // Before the first file is written, there is no such folder.
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    // Another process may have just given it its name.
    const { mtimeMs } = (await lstat(path).catch(() => undefined)) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > leftoverAfterMs) await rm(path, { force: true });
  }
}

/** Makes a renamed file durable: its folder and those above it that may be new. */
async function syncFolders(from: string, top: string): Promise<void> {
  for (let folder = from; folder.length >= top.length; folder = dirname(folder)) {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

async function* chunksOf(handle: FileHandle, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    const stream = createReadStream('', { fd: handle, autoClose: false, signal });
    for await (const chunk of stream) yield chunk as Uint8Array; // No encoding: bytes.
  } catch (error) {
    throw failureOf(error, signal);
  } finally {
    await handle.close();
  }
}

async function* walk(path: string, key: string): AsyncGenerator<FileInfo> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    if (failureOf(error).code === 'missing') return [];
    throw failureOf(error);
  });
  for (const entry of entries.sort((left, right) => (sortKeyOf(left) < sortKeyOf(right) ? -1 : 1))) {
    const below = key === '' ? entry.name : `${key}/${entry.name}`;
    if (below === unfinished) continue;
    if (entry.isDirectory()) yield* walk(join(path, entry.name), below);
    else if (entry.isFile()) yield infoOf(below, join(path, entry.name));
  }
}

/** The keys in a folder continue with a slash, which `-` and `.` precede and letters and digits follow. */
function sortKeyOf(entry: Dirent): string {
  return entry.isDirectory() ? `${entry.name}/` : entry.name;
}

async function infoOf(key: string, path: string): Promise<FileInfo> {
  const facts = await lstat(path);
  if (!facts.isFile()) throw new FileStoreError('missing', 'There is no file with this key.');
  return { key, bytes: facts.size, modifiedAt: facts.mtime };
}

function failureOf(error: unknown, signal?: AbortSignal): FileStoreError {
  if (error instanceof FileStoreError) return error;
  if (signal?.aborted === true) return new FileStoreError('cancelled', 'The transfer was cancelled.', { cause: error });
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR'].includes(String(code)))
    return new FileStoreError('missing', 'There is no file with this key.', { cause: error });
  return new FileStoreError('unavailable', 'Files cannot be stored or read now: retry later.', { cause: error });
}
