import type { AnalyticalRow, ResultRow, SourceTable, StagedTable } from '@pacioli/core/ports';
import type { Worker } from './engine-processes.ts';
import { columnsOfRows } from './parquet-values.ts';

/** Passes the rows on as they come, and writes the file when they are all there. */
export async function fillParquet(
  worker: Worker,
  path: string,
  columns: SourceTable['columns'],
  batches: AsyncIterable<readonly ResultRow[]>,
): Promise<number> {
  let rows = 0;
  await worker.call('source', { name: 'rows', columns });
  for await (const batch of batches) {
    await worker.call('sourceRows', { rows: batch.length, columns: columnsOfRows(columns, batch) });
    rows += batch.length;
  }
  await worker.call('writeParquet', { name: 'rows', path, columns });
  return rows;
}

export async function* rowBatches(
  worker: Worker,
  { columns }: Pick<StagedTable, 'columns'>,
): AsyncGenerator<readonly AnalyticalRow[]> {
  for (;;) {
    const rows = await worker.call('nextRows', null);
    if (rows.length === 0) return;
    // Columns of other types than these are refused when the graph is created.
    yield rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])) as AnalyticalRow);
  }
}
