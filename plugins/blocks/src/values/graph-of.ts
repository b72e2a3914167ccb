import type { Transaction } from '@pacioli/core';

/** The graph of a transaction. Throws for a kernel transaction, which is a programming error here. */
export function graphOf(tx: Transaction): string {
  if (tx.scope === 'kernel') throw new Error('Blocks belong to a graph, but this transaction works for the kernel.');
  return tx.scope.graphId;
}
