import type { Transaction } from '@pacioli/core';

/** The graph of a transaction; a kernel transaction here is a programming error. */
export function graphOf(tx: Transaction): string {
  if (tx.scope === 'kernel')
    throw new Error('Taxonomies belong to a graph, but this transaction works for the kernel.');
  return tx.scope.graphId;
}
