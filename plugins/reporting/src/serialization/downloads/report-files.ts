import { createHash } from 'node:crypto';
import { ServiceError } from '@pacioli/core';
import { type FileStore, isFileStoreError } from '@pacioli/core/ports';

/** The largest file of a report. */
const maxFileBytes = 128 * 1024 * 1024;

const prefix = 'report-bundles';
const bundleExtension = 'jsonld';

/** The files of all reports of a graph begin with it. */
export function filesOfGraph(graphId: string): string {
  return `${prefix}/${graphId}/`;
}

/** The files of all generations of a report begin with it (reporting P-15). */
export function filesOfReport(graphId: string, reportId: string): string {
  return `${filesOfGraph(graphId)}${reportId}/`;
}

/** The key of the JSON-LD of a generation, which is another one after the report was filed (reporting G-3). */
export function bundleKey(
  graphId: string,
  { id, generation, isFiled }: { readonly id: string; readonly generation: number; readonly isFiled: boolean },
): string {
  return `${filesOfReport(graphId, id)}v${generation}${isFiled ? 'f' : ''}.${bundleExtension}`;
}

/** The key of a generation in another format. */
export function formatKey(key: string, extension: string): string {
  return `${key.slice(0, -bundleExtension.length)}${extension}`;
}

/** Files of reports in the file store. Failures of the store are 502 (reporting B-0.3, P-8). */
export class ReportFiles {
  readonly #files: FileStore;

  constructor(files: FileStore) {
    this.#files = files;
  }

  /**
   * Stores the JSON-LD of a generation that is not committed yet. What is there is left over from a transaction that
   * failed, so it is replaced.
   */
  async replace(
    key: string,
    content: AsyncIterable<Uint8Array>,
    contentType: string,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#write(key, content, contentType, signal);
  }

  /** Stores a file of a generation that is committed; other content under the key is a defect (reporting G-3). */
  async storeOnce(
    key: string,
    content: AsyncIterable<Uint8Array>,
    contentType: string,
    signal: AbortSignal,
  ): Promise<void> {
    const earlier = await this.stream(key, signal);
    if (earlier === undefined) return this.#write(key, content, contentType, signal);
    if ((await digest(earlier)) !== (await digest(content))) {
      throw new Error(`The file '${key}' exists with other content.`);
    }
  }

  async exists(key: string): Promise<boolean> {
    return (await this.#files.info(key).catch(rethrowFailure)) !== undefined;
  }

  /** The content of a file as it is read; undefined if there is no such file. */
  async stream(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined> {
    return this.#found(async () => withRethrown(await this.#files.read(key, signal)));
  }

  async #write(
    key: string,
    content: AsyncIterable<Uint8Array>,
    contentType: string,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#files.write(key, content, { maxBytes: maxFileBytes, contentType, signal }).catch(rethrowFailure);
  }

  async #found<T>(read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (isFileStoreError(error) && error.code === 'missing') return undefined;
      return rethrowFailure(error);
    }
  }

  /** Removes all files whose keys begin with the prefix. */
  async removeAll(keyPrefix: string): Promise<void> {
    for await (const { key } of this.#files.list(keyPrefix)) await this.#files.remove(key);
  }
}

/** The same chunks; a failure between them is one of the store, too. */
async function* withRethrown(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    rethrowFailure(error);
  }
}

async function digest(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of content) hash.update(part);
  return hash.digest('hex');
}

function rethrowFailure(error: unknown): never {
  if (!isFileStoreError(error) || error.code === 'cancelled') throw error;
  const message = `The file of the report could not be stored or read: ${error.message}`;
  throw new ServiceError('upstream', 'REPORT_STORE_FAILED', message, { cause: error });
}
