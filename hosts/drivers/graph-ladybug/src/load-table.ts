import {
  type AnalyticalNode,
  type AnalyticalRelationship,
  type AnalyticalRow,
  type BulkSource,
  GraphStoreError,
  type LoadOptions,
  type LoadReport,
} from '@pacioli/core/ports';
import type { EngineProcess } from './engine-process.ts';

/** Sends the rows of one table to a worker, one batch at a time, so that at most two batches are in memory. */
export async function loadTable(
  worker: EngineProcess,
  table: AnalyticalNode | AnalyticalRelationship,
  source: BulkSource,
  options: LoadOptions,
): Promise<LoadReport> {
  const ends = table.kind === 'relationship' ? { from: table.from, to: table.to } : {};
  const { kind, name, columns } = table;
  const key = table.kind === 'node' ? table.key : '';
  await worker.call('loadStart', { kind, name, key, columns, ...ends, maxRejects: options.maxRejects });
  if (source.kind === 'parquet') await worker.call('loadParquet', { path: source.path });
  else {
    // One batch is in transit while the next one is read.
    let taken: Promise<unknown> = Promise.resolve();
    for await (const batch of source.batches) {
      const columns = byColumn(table, batch);
      await taken;
      if (options.signal.aborted) throw new GraphStoreError('cancelled', 'The load was cancelled.');
      taken = worker.call('loadRows', { rows: batch.length, columns });
      taken.catch(() => undefined); // Awaited later; until then a rejection must not be unhandled.
    }
    await taken;
  }
  return worker.call('loadEnd', null);
}

function byColumn(table: AnalyticalNode | AnalyticalRelationship, batch: readonly AnalyticalRow[]): unknown[][] {
  return table.columns.map(({ name }) => batch.map((row) => row[name]));
}
