import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ServiceError } from '@pacioli/core';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type Manifest, manifestName } from './archive.ts';

const maxManifestBytes = 4_000_000;

/** A backup whose content has the sizes and digests of its manifest. */
export interface ReadArchive {
  readonly manifest: Manifest;
  /** Streams the database file. */
  content(): Promise<AsyncIterable<Uint8Array>>;
  close(): void;
}

/** Opens the archive of a backup and verifies all of it. Throws if it is damaged or something else. */
export async function readArchive(path: string): Promise<ReadArchive> {
  const zip = await openZip(path);
  try {
    const entries = await entriesOf(zip);
    const manifest = await manifestOf(zip, entries.get(manifestName));
    const [member] = manifest.members;
    const entry = member === undefined ? undefined : entries.get(member.name);
    if (member === undefined || entry === undefined)
      throw notABackup('Its manifest names a file that it does not have.');
    const { bytes, sha256 } = await digestOf(await streamOf(zip, entry));
    if (bytes !== member.bytes || sha256 !== member.sha256)
      throw notABackup('Its content does not have the size and digest of its manifest.');
    return { manifest, content: () => streamOf(zip, entry), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function openZip(path: string): Promise<ZipFile> {
  const found = await stat(path).catch((cause: unknown) => {
    throw unreadable(path, 'It does not exist, or may not be read.', cause);
  });
  if (!found.isFile()) throw unreadable(path, 'It is not a file.');
  try {
    await access(path, constants.R_OK);
  } catch (cause) {
    throw unreadable(path, 'It may not be read.', cause);
  }
  try {
    return await openPromise(path, { autoClose: false, lazyEntries: true });
  } catch (cause) {
    throw notABackup(cause instanceof Error ? cause.message : 'It cannot be opened.', cause);
  }
}

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch (cause) {
    throw notABackup('Its list of files is damaged.', cause);
  }
  return entries;
}

async function digestOf(
  content: AsyncIterable<Uint8Array>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const digest = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of content) {
      digest.update(chunk);
      bytes += chunk.byteLength;
    }
  } catch (cause) {
    throw notABackup('Its content is damaged.', cause);
  }
  return { bytes, sha256: digest.digest('hex') };
}

async function manifestOf(zip: ZipFile, entry: Entry | undefined): Promise<Manifest> {
  if (entry === undefined || entry.uncompressedSize > maxManifestBytes) throw notABackup('It has no manifest.');
  const chunks: Uint8Array[] = [];
  for await (const chunk of await streamOf(zip, entry)) chunks.push(chunk);
  try {
    const manifest = JSON.parse(Buffer.concat(chunks).toString()) as Manifest; // Its digests show what it says.
    if (manifest.version === 1 && Array.isArray(manifest.members)) return manifest;
  } catch (cause) {
    throw notABackup('Its manifest cannot be parsed.', cause);
  }
  throw notABackup('Its manifest is of another version.');
}

async function streamOf(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Uint8Array>> {
  const stream: Readable = await zip.openReadStreamPromise(entry).catch((cause: unknown) => {
    throw notABackup('Its content is damaged.', cause);
  });
  return stream;
}

function unreadable(path: string, reason: string, cause?: unknown): ServiceError {
  return new ServiceError('refused', 'BACKUP_UNREADABLE', `The file ${path} cannot be read. ${reason}`, { cause });
}

function notABackup(reason: string, cause?: unknown): ServiceError {
  const message = `This file is not a complete backup. ${reason} Download it again.`;
  return new ServiceError('refused', 'BACKUP_DAMAGED', message, { cause });
}
