import type { Transaction } from '@pacioli/core';

/** One auto-map run as a worker executes it. */
export interface AutoMapWork {
  readonly graphId: string;
  readonly mappingId: string;
  readonly userId: string;
  /** The run and the request that started it; model calls are charged to them. */
  readonly operationId: string;
  readonly requestId: string;
  /** 1 for the first worker that executes the run. */
  readonly attempt: number;
  readonly signal: AbortSignal;
  now(): Date;
  /** Throws when the run was cancelled, before anything is read or written. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: { readonly readOnly?: boolean }): Promise<T>;
  report(progress: { readonly message: string; readonly percent: number }): Promise<void>;
}
