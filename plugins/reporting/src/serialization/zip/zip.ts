import { Readable } from 'node:stream';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';

/** A file of an archive. */
export interface ArchiveFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** The first moment that a ZIP can say, in its local time. */
const fixedTime = new Date(1980, 0, 1);
const fileMode = 0o100644;

/** The bytes of a ZIP that depend on nothing but the files: fixed times, no compression (reporting G-5). */
export function zipOf(files: readonly ArchiveFile[]): AsyncIterable<Uint8Array> {
  const zip = new ZipFile();
  for (const { path, content } of files) {
    const options = { mtime: fixedTime, mode: fileMode, compress: false, forceDosTimestamp: true };
    zip.addBuffer(bufferOf(content), path, options);
  }
  zip.end();
  return Readable.from(zip.outputStream);
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

/** The same memory, which the archive reads and does not change. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
