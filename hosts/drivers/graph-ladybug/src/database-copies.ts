import { createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type GraphSnapshot, type GraphStats, GraphStoreError, isGraphStoreError } from '@pacioli/core/ports';
import {
  copyDurably,
  partialEnd,
  readAndRemove,
  removeFiles,
  removeLeftovers,
  snapshotOf,
  syncToDisk,
} from './database-files.ts';
import type { ProcessPool } from './process-pool.ts';

/** The engine and its storage version, which a test compares with the binding's. */
export const snapshotFormat = 'ladybug/43';

export interface CopyOptions {
  readonly tables?: readonly string[];
  readonly signal: AbortSignal;
}

interface Reading {
  /** Opens the database and counts its rows. */
  readonly stats: () => Promise<GraphStats>;
  readonly signal: AbortSignal;
}

/** Copies of whole database files: forks, snapshots and what is restored from them. */
export class DatabaseCopies {
  readonly #pool: ProcessPool;

  constructor(pool: ProcessPool) {
    this.#pool = pool;
  }

  /** Creates a database with tables. It appears under its name with all of them, also if the process is killed. */
  async create(path: string, statements: readonly string[]): Promise<void> {
    const partial = `${path}${partialEnd}`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // A partial file that a killed process left.
    await removeFiles(partial);
    try {
      const worker = await this.#pool.worker(partial, 'load');
      await worker.call('define', { statements });
      await this.#pool.close(partial);
      await publish(partial, path);
    } catch (error) {
      await this.#pool.close(partial);
      await removeFiles(partial);
      throw error;
    }
  }

  /** The copy appears under its name when it is complete. Writers of the source wait only while its file is copied. */
  async copy(
    paths: { readonly from: string; readonly to: string },
    options: CopyOptions & Reading & { readonly asWriter: (work: () => Promise<void>) => Promise<void> },
  ): Promise<GraphStats> {
    const partial = `${paths.to}${partialEnd}`;
    try {
      await options.asWriter(() => this.#copyFile(paths.from, partial));
      if (options.signal.aborted) throw new GraphStoreError('cancelled', 'The copy was canceled.');
      if (options.tables !== undefined) await this.#dropOthers(partial, new Set(options.tables));
      await publish(partial, paths.to);
      return await options.stats();
    } catch (error) {
      await removeFiles(partial);
      throw error;
    }
  }

  /** Called while no one writes, so that the counts are those of the copied file. */
  async snapshot(path: string, { stats, signal }: Reading): Promise<GraphSnapshot> {
    const file = snapshotOf(path);
    try {
      const counted = await stats();
      await this.#copyFile(path, file);
      const { size } = await stat(file);
      return {
        format: snapshotFormat,
        stats: { ...counted, size_bytes: size },
        chunks: readAndRemove(file, signal),
        discard: () => removeFiles(file),
      };
    } catch (error) {
      await removeFiles(file);
      throw error;
    }
  }

  async restore(
    path: string,
    snapshot: Pick<GraphSnapshot, 'format' | 'chunks'>,
    { stats, signal }: Reading,
  ): Promise<GraphStats> {
    if (snapshot.format !== snapshotFormat) {
      const given = snapshot.format.slice(0, 50);
      throw new GraphStoreError(
        'incompatible',
        `The snapshot is of format ${given}; this engine reads ${snapshotFormat}.`,
      );
    }
    const partial = `${path}${partialEnd}`;
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await pipeline(snapshot.chunks, createWriteStream(partial, { flush: true }), { signal });
      await publish(partial, path);
      return await stats();
    } catch (error) {
      await this.#pool.close(path);
      await removeFiles(partial);
      await removeFiles(path);
      if (signal.aborted) throw new GraphStoreError('cancelled', 'Restoring was canceled.', { cause: error });
      if (isGraphStoreError(error) && ['unavailable', 'memory'].includes(error.code)) throw error;
      throw new GraphStoreError('incompatible', 'The snapshot cannot be opened as a graph.', { cause: error });
    }
  }

  /** Copies a database file with everything committed. */
  async #copyFile(path: string, to: string): Promise<void> {
    await removeLeftovers(dirname(path));
    await (await this.#pool.writer(path))?.call('checkpoint', null);
    await copyDurably(path, to);
  }

  /** Removes all tables but the named ones from a copy, relationships before the nodes at their ends. */
  async #dropOthers(path: string, kept: ReadonlySet<string>): Promise<void> {
    const worker = await this.#pool.worker(path, 'load');
    try {
      const { tables } = await worker.call('tables', null);
      const missing = [...kept].filter((name) => !tables.some((table) => table.name === name));
      if (missing.length > 0) throw new GraphStoreError('catalog', `The graph has no table ${missing.join(', ')}.`);
      const others = tables.filter(({ name }) => !kept.has(name));
      const inOrder = [...others.filter(({ isNode }) => !isNode), ...others.filter(({ isNode }) => isNode)];
      await worker.call('define', { statements: inOrder.map(({ name }) => `DROP TABLE \`${name}\``) });
      await worker.call('checkpoint', null);
    } finally {
      await this.#pool.close(path);
    }
  }
}

/** Gives a complete file its name, durably. */
async function publish(partial: string, path: string): Promise<void> {
  await rename(partial, path);
  await syncToDisk(path);
  await syncToDisk(dirname(path));
}
