import type { Transaction, WriteContext } from '@pacioli/core';

/** The transaction, caller and time of one write. */
export interface ReportWork {
  readonly tx: Transaction;
  readonly userId: string;
  readonly isAdmin: boolean;
  readonly now: Date;
  readonly log: WriteContext['log'];
  readonly signal: AbortSignal;
}

export function workOf(ctx: WriteContext): ReportWork {
  const { tx, caller, graph, log, signal } = ctx;
  return { tx, userId: caller.userId, isAdmin: graph.role === 'admin', now: ctx.now(), log, signal };
}
