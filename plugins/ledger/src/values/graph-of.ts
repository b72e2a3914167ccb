import type { Transaction } from '@pacioli/core';

/** The graph that a transaction belongs to; the ledger has no rows outside of one. */
export function graphOf(tx: Transaction): string {
  if (tx.scope === 'kernel') throw new Error('The ledger is read and written in the scope of a graph.');
  return tx.scope.graphId;
}
