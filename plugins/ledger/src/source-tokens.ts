import { type CollectionEntry, createCollection, type Transaction } from '@pacioli/core';

/** A live connection that writes events under a source of its own. */
export interface LiveSource {
  /** What its events carry as source: the provider, or the registered name of an external one. */
  readonly source: string;
  readonly connectionId: string;
}

/** What somebody is about to write in the name of: every connection of a source, or one connection. */
export type HeldSource = Pick<LiveSource, 'source'> | Pick<LiveSource, 'connectionId'>;

/** Where connections are kept; empty until a plugin keeps some (ledger L-84). */
export interface EventSource extends CollectionEntry {
  /**
   * The live connections of the graph; one statement. Asked by a source or an id, it may answer only those that have
   * it, and they stay live until the transaction, a writing one, ends.
   */
  live(tx: Transaction, held?: HeldSource): Promise<readonly LiveSource[]>;
}

export const eventSources = createCollection<EventSource>('ledger.event-sources');
