import { type FileHandle, open, rm } from 'node:fs/promises';
import {
  type AnalyticalNode,
  type AnalyticalRelationship,
  type AnalyticalRow,
  type BulkSource,
  GraphStoreError,
  type LoadOptions,
  type LoadReport,
  type RowBatches,
} from '@pacioli/core/ports';
import { rowFiles } from './database-files.ts';
import type { EngineProcess } from './engine-process.ts';
import { rowTextWriter } from './row-text.ts';

type Table = AnalyticalNode | AnalyticalRelationship;

/** A file of rows is handed to the worker at this size, so that it loads one while the next one is written. */
const fileBytes = 16 * 2 ** 20;
/** The engine of the stage has this limit by default; a longer row raises it. */
const minLineBytes = 2 * 2 ** 20;
const maxBytesPerCharacter = 3;
/** Rows of one transaction, where the caller does not say. */
const defaultChunkRows = 1_000_000;

/** Stages the rows of one table in a worker. Returns the number of the load, for `endLoad`. */
export async function stageTable(
  worker: EngineProcess,
  databasePath: string,
  table: Table,
  source: BulkSource,
  options: LoadOptions,
): Promise<number> {
  const ends = table.kind === 'relationship' ? { from: table.from, to: table.to } : {};
  const { kind, name, columns } = table;
  const key = table.kind === 'node' ? table.key : '';
  const { load } = await worker.call('loadStart', {
    kind,
    name,
    key,
    columns,
    ...ends,
    maxRejects: options.maxRejects,
    chunkRows: options.chunkRows ?? defaultChunkRows,
  });
  if (source.kind === 'parquet') await worker.call('loadParquet', { load, path: source.path });
  else {
    const files = rowFiles(databasePath);
    try {
      await stageRows(worker, load, files, table, source.batches, options.signal);
    } finally {
      for (const file of files) await rm(file, { force: true });
    }
  }
  return load;
}

/** Copies the staged rows of a load into the graph; a cancellation takes effect before the next chunk. */
export async function endLoad(worker: EngineProcess, load: number, signal: AbortSignal): Promise<LoadReport> {
  const cancel = (): void => void worker.call('loadCancel', { load }).catch(() => undefined); // Dead already.
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const { chunks: _chunks, ...report } = await worker.call('loadEnd', { load });
    return report;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function stageRows(
  worker: EngineProcess,
  load: number,
  files: readonly [string, string],
  table: Table,
  batches: RowBatches<AnalyticalRow>,
  signal: AbortSignal,
): Promise<void> {
  const write = rowTextWriter(table.columns);
  let [path, other] = files;
  let file: RowFile | undefined;
  // One file is loaded while the next one is written.
  let taken: Promise<unknown> = Promise.resolve();
  const pass = async (full: RowFile): Promise<void> => {
    await full.close();
    await taken;
    taken = worker.call('loadText', { load, path: full.path, maxLineBytes: full.maxLineBytes });
    taken.catch(() => undefined); // Awaited later; until then a rejection must not be unhandled.
    [path, other] = [other, path];
  };
  try {
    for await (const batch of batches) {
      if (signal.aborted) throw new GraphStoreError('cancelled', 'The load was canceled.');
      file ??= await RowFile.create(path);
      await file.append(batch, write);
      if (file.bytes < fileBytes) continue;
      await pass(file);
      file = undefined;
    }
    if (file !== undefined) await pass(file);
    file = undefined;
  } finally {
    await file?.close();
    await Promise.allSettled([taken]);
  }
  await taken;
}

/** A file of rows as CSV that is being written. */
class RowFile {
  readonly path: string;
  readonly #handle: FileHandle;
  bytes = 0;
  maxLineBytes = minLineBytes;

  private constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  static async create(path: string): Promise<RowFile> {
    return new RowFile(path, await open(path, 'w'));
  }

  async append(batch: readonly AnalyticalRow[], write: (row: AnalyticalRow) => string): Promise<void> {
    let text = '';
    for (const row of batch) {
      const line = write(row);
      if (line.length * maxBytesPerCharacter > this.maxLineBytes)
        this.maxLineBytes = line.length * maxBytesPerCharacter;
      text += line;
    }
    const bytes = Buffer.from(text);
    await this.#handle.writeFile(bytes);
    this.bytes += bytes.length;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
