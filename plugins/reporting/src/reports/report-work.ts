import type { Transaction, WriteContext } from '@pacioli/core';

/** The transaction, caller and time of one write. */
export interface ReportWork {
  readonly tx: Transaction;
  readonly userId: string;
  readonly isAdmin: boolean;
  readonly now: Date;
  readonly log: WriteContext['log'];
}

export function workOf(ctx: WriteContext): ReportWork {
  return { tx: ctx.tx, userId: ctx.caller.userId, isAdmin: ctx.graph.role === 'admin', now: ctx.now(), log: ctx.log };
}
