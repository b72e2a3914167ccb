import type { Transaction, WriteContext } from '@pacioli/core';

/** The transaction, caller and time of one write. */
export interface ReportWork {
  readonly tx: Transaction;
  readonly userId: string;
  readonly isAdmin: boolean;
  /** True if a run of an operator makes the call for the user (P-11). */
  readonly isByOperator: boolean;
  readonly now: Date;
  readonly log: WriteContext['log'];
  readonly signal: AbortSignal;
}

export function workOf(ctx: WriteContext): ReportWork {
  const { tx, caller, graph, surface, log, signal } = ctx;
  return {
    tx,
    userId: caller.userId,
    isAdmin: graph.role === 'admin',
    isByOperator: surface === 'operator',
    now: ctx.now(),
    log,
    signal,
  };
}
