import type { Transaction } from '@pacioli/core';

/** The graph that a transaction works in. A kernel transaction here is a programmer's error. */
export function graphOf(tx: Transaction): string {
  if (tx.scope === 'kernel')
    throw new Error('Taxonomies belong to a graph, but this transaction works for the kernel.');
  return tx.scope.graphId;
}
