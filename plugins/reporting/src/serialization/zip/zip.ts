import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
import { encodedParts } from '../bundle/index.ts';

/** A file of an archive. */
export interface ArchiveFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** A file whose text is made twice while the archive is read, for its check sum and for its bytes. */
export interface WrittenFile {
  readonly path: string;
  parts(): Iterable<string>;
}

/** A file as the directory at the end of an archive states it. */
interface Entry {
  readonly name: Buffer;
  readonly checkSum: number;
  readonly size: number;
  readonly offset: number;
}

// The values of the headers are those of APPNOTE.TXT, sections 4.3 and 4.4.
const localHeaderBytes = 30;
const directoryHeaderBytes = 46;
const endBytes = 22;
const madeByUnix = (3 << 8) | 63;
const extractedBy = 20;
const nameIsUtf8 = 1 << 11;
/** The first moment that a ZIP can say: 1980-01-01, in its local time. */
const fixedDate = (1 << 5) | 1;
const fileMode = 0o100644;
const maxBytes = 0xffff_fffe;

/**
 * The bytes of a ZIP that depend on nothing but the files: fixed times, no compression (reporting G-5). The sizes and
 * check sums stand before the files, as readers of streams need them, so an archive is never in memory as a whole.
 */
export async function* zipOf(files: readonly (ArchiveFile | WrittenFile)[]): AsyncGenerator<Uint8Array> {
  const entries: Entry[] = [];
  let offset = 0;
  for (const file of files) {
    const name = Buffer.from(file.path, 'utf8');
    const entry = { name, offset, ...(await measured(bytesIn(file))) };
    entries.push(entry);
    offset += localHeaderBytes + name.length + entry.size;
    if (offset > maxBytes) throw new Error('The archive is larger than 4 GB.');
    yield localHeader(entry);
    yield* bytesIn(file);
  }
  const directory = Buffer.concat(entries.map(directoryHeader));
  yield directory;
  yield endOf({ count: entries.length, size: directory.length, offset });
}

async function* bytesIn(file: ArchiveFile | WrittenFile): AsyncGenerator<Uint8Array> {
  if ('content' in file) yield file.content;
  else yield* encodedParts(file.parts());
}

async function measured(bytes: AsyncIterable<Uint8Array>): Promise<Pick<Entry, 'checkSum' | 'size'>> {
  let checkSum = 0;
  let size = 0;
  for await (const part of bytes) {
    checkSum = crc32(part, checkSum);
    size += part.length;
  }
  return { checkSum, size };
}

function localHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(localHeaderBytes);
  header.writeUInt32LE(0x04034b50, 0);
  writeSharedFields(header.subarray(4), entry);
  return Buffer.concat([header, entry.name]);
}

function directoryHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(directoryHeaderBytes);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(madeByUnix, 4);
  writeSharedFields(header.subarray(6), entry);
  header.writeUInt32LE((fileMode << 16) >>> 0, 38);
  header.writeUInt32LE(entry.offset, 42);
  return Buffer.concat([header, entry.name]);
}

/** The fields that both headers of a file have; the times and the method of compression that stay 0 among them. */
function writeSharedFields(target: Buffer, { name, checkSum, size }: Entry): void {
  target.writeUInt16LE(extractedBy, 0);
  target.writeUInt16LE(nameIsUtf8, 2);
  target.writeUInt16LE(fixedDate, 8);
  target.writeUInt32LE(checkSum, 10);
  target.writeUInt32LE(size, 14);
  target.writeUInt32LE(size, 18);
  target.writeUInt16LE(name.length, 22);
}

function endOf({ count, size, offset }: { count: number; size: number; offset: number }): Buffer {
  const end = Buffer.alloc(endBytes);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** The same files, each changed, in an archive with fixed times. */
export async function withFixedTimes(
  archive: Uint8Array,
  change: (file: ArchiveFile) => ArchiveFile,
): Promise<Uint8Array> {
  const zip = await fromBufferPromise(Buffer.from(archive), { lazyEntries: true });
  const files: ArchiveFile[] = [];
  for await (const entry of zip.eachEntry()) {
    files.push(change({ path: entry.fileName, content: await bytesOf(await zip.openReadStreamPromise(entry)) }));
  }
  return bytesOf(zipOf(files));
}

async function bytesOf(stream: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}
