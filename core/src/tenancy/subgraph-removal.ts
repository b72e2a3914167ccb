import { type Collection, type CollectionEntry, createCollection } from '../container/token.ts';
import type { Transaction } from '../store/store.ts';

/** Removes the data that a plugin keeps of a subgraph, when that is removed: a later subgraph may get its id. */
export interface SubgraphRemoval extends CollectionEntry {
  /** Called in the kernel transaction that removes the subgraph. */
  removed(tx: Transaction, subgraphId: string): Promise<void>;
}

export const subgraphRemovals: Collection<SubgraphRemoval> = createCollection('kernel.subgraph-removals');
