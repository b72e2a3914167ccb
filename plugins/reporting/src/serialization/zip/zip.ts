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

/** The files as a ZIP whose bytes depend on nothing else: fixed times, no compression (reporting G-5). */
export async function zipOf(files: readonly ArchiveFile[]): Promise<Uint8Array> {
  const zip = new ZipFile();
  for (const { path, content } of files) {
    const options = { mtime: fixedTime, mode: fileMode, compress: false, forceDosTimestamp: true };
    zip.addBuffer(Buffer.from(content), path, options);
  }
  zip.end();
  return bytesOf(zip.outputStream);
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
  return zipOf(files);
}

async function bytesOf(stream: NodeJS.ReadableStream): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
