import { type Graph, type Progress, type Transaction, tierNumbers } from '@pacioli/core';
import type { LoadOptions, TransactionOptions } from '@pacioli/core/ports';

/** The parameters of a build within its run. */
export interface BuildRequest {
  readonly graph: Pick<Graph, 'id' | 'extensions'> & Partial<Pick<Graph, 'tier'>>;
  /** The id of the operation, which owns the build until it ends. */
  readonly run: string;
  /** Where the rows come from: the records of the graph, or its staged files. */
  readonly source: 'extensions' | 'staged';
  /** True to build even if the graph is fresh. */
  readonly isForced: boolean;
  readonly signal: AbortSignal;
  now(): Date;
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  report(progress: Progress): Promise<void>;
}

export interface BuildResult {
  readonly status: 'success' | 'skipped';
  readonly was_stale: boolean;
  readonly stale_reason: string | null;
  readonly tables_materialized: readonly string[];
  readonly total_rows: number;
  readonly message: string;
}

/** A table with more rows than a chunk of the tier is loaded in several transactions (graphs M-11, M-24). */
export function loadOptions({ tier = '' }: Partial<Pick<Graph, 'tier'>>, signal: AbortSignal): LoadOptions {
  const { rows } = tierNumbers(tier);
  return { maxRejects: 0, signal, ...(rows === null ? {} : { chunkRows: rows.per_chunk }) };
}
