import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type AnalyticalRow,
  type ResultRow,
  type RowBatches,
  type SourceTable,
  StagingError,
} from '@pacioli/core/ports';
import type { EngineProcesses, Worker } from './engine-processes.ts';
import { columnsOfRows } from './parquet-values.ts';

interface ParquetFile {
  readonly path: string;
  readonly columns: SourceTable['columns'];
  readonly signal: AbortSignal;
}

interface ParquetRows extends ParquetFile {
  readonly batches: AsyncIterable<readonly ResultRow[]>;
}

/** Writes rows as a parquet file, by a database in a file: the rows of a table may be more than the memory. */
export async function writeParquet(processes: EngineProcesses, database: string, rows: ParquetRows): Promise<number> {
  try {
    return await processes.write(basename(database), database, (worker) => fillParquet(worker, rows));
  } finally {
    for (const end of ['.wal', '.tmp']) await rm(`${database}${end}`, { recursive: true, force: true });
  }
}

/** Fails unless a parquet file has these columns in the types in which they are written. */
export async function checkParquet(processes: EngineProcesses, { path, columns, signal }: ParquetFile): Promise<void> {
  await processes.inMemory(basename(path), (worker) => worker.call('checkParquet', { path, columns }), signal);
}

/** Reads the rows of a parquet file in batches while `work` runs. */
export function readParquet<T>(
  processes: EngineProcesses,
  { graphId, path, columns, signal }: ParquetFile & { readonly graphId: string },
  work: (batches: RowBatches<AnalyticalRow>) => Promise<T>,
): Promise<T> {
  return processes.inMemory(
    graphId,
    async (worker) => {
      await worker.call('readParquet', { path, columns });
      return work(rowBatches(worker, columns, signal));
    },
    signal,
  );
}

/** Sends the rows to the worker batch by batch, then writes the file. */
async function fillParquet(worker: Worker, { path, columns, batches, signal }: ParquetRows): Promise<number> {
  let rows = 0;
  await worker.call('source', { name: 'rows', columns });
  for await (const batch of batches) {
    if (signal.aborted) throw new StagingError('cancelled', 'Writing the file was canceled.');
    await worker.call('sourceRows', { rows: batch.length, columns: columnsOfRows(columns, batch) });
    rows += batch.length;
  }
  await worker.call('writeParquet', { name: 'rows', path, columns });
  return rows;
}

async function* rowBatches(
  worker: Worker,
  columns: SourceTable['columns'],
  signal: AbortSignal,
): AsyncGenerator<readonly AnalyticalRow[]> {
  for (;;) {
    if (signal.aborted) throw new StagingError('cancelled', 'Reading the file was canceled.');
    const rows = await worker.call('nextRows', null);
    if (rows.length === 0) return;
    // Columns of other types than these are refused when the graph is created.
    yield rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])) as AnalyticalRow);
  }
}
