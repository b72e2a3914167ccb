import type { AnalyticalNode, AnalyticalRelationship, AnalyticalRow, Graph } from '@pacioli/core';
import type { BulkSource, GenerationRef, GraphStore, LoadReport, RowBatches } from '@pacioli/core/ports';
import { loadOptions } from './build.ts';

interface TableLoad {
  readonly ref: GenerationRef;
  readonly table: AnalyticalNode | AnalyticalRelationship;
  readonly graph: Partial<Pick<Graph, 'tier'>>;
  readonly signal: AbortSignal;
  /** Offers the rows as a parquet file. */
  withParquet(load: (path: string) => Promise<LoadReport>): Promise<LoadReport>;
  /** Offers the rows in batches. */
  withRows(load: (batches: RowBatches<AnalyticalRow>) => Promise<LoadReport>): Promise<LoadReport>;
}

/** Loads a table from a parquet file, or from its rows where the engine reads no parquet. */
export function loadTable(graphStore: GraphStore, request: TableLoad): Promise<LoadReport> {
  const { ref, table, graph, signal } = request;
  const load = (source: BulkSource): Promise<LoadReport> =>
    graphStore.load(ref, table, source, loadOptions(graph, signal));
  return graphStore.capabilities.loadsParquet
    ? request.withParquet((path) => load({ kind: 'parquet', path }))
    : request.withRows((batches) => load({ kind: 'rows', batches }));
}
