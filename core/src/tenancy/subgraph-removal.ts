import { type Collection, type CollectionEntry, createCollection } from '../container/token.ts';
import type { Transaction } from '../store/store.ts';

/** What a plugin does when a subgraph is removed, such as removing its rows: a later subgraph may get its id. */
export interface SubgraphRemoval extends CollectionEntry {
  /** Called in the kernel transaction that removes the subgraph. */
  removed(tx: Transaction, subgraphId: string): Promise<void>;
}

export const subgraphRemovals: Collection<SubgraphRemoval> = createCollection('kernel.subgraph-removals');
