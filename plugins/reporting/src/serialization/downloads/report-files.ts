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
  async replace(key: string, content: Uint8Array, contentType: string, signal: AbortSignal): Promise<void> {
    await this.#files
      .write(key, chunksOf(content), { maxBytes: maxFileBytes, contentType, signal })
      .catch(rethrowFailure);
  }

  /** Stores a file of a generation that is committed; other content under the key is a defect (reporting G-3). */
  async storeOnce(key: string, content: Uint8Array, contentType: string, signal: AbortSignal): Promise<void> {
    const earlier = await this.read(key, signal);
    if (earlier === undefined) return this.replace(key, content, contentType, signal);
    if (digest(earlier) !== digest(content)) throw new Error(`The file '${key}' exists with other content.`);
  }

  async exists(key: string): Promise<boolean> {
    return (await this.#files.info(key).catch(rethrowFailure)) !== undefined;
  }

  /** The content of a file as it is read; undefined if there is no such file. */
  async stream(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined> {
    return this.#found(() => this.#files.read(key, signal));
  }

  /** Undefined if there is no such file. */
  async read(key: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    return this.#found(async () => {
      const parts: Uint8Array[] = [];
      for await (const chunk of await this.#files.read(key, signal)) parts.push(chunk);
      return Buffer.concat(parts);
    });
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

async function* chunksOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}

function digest(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function rethrowFailure(error: unknown): never {
  if (!isFileStoreError(error) || error.code === 'cancelled') throw error;
  const message = `The file of the report could not be stored or read: ${error.message}`;
  throw new ServiceError('upstream', 'REPORT_STORE_FAILED', message, { cause: error });
}
