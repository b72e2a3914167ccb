import { type CollectionEntry, createCollection, type Transaction } from '@pacioli/core';

/** A live connection that writes events under its own source. */
export interface LiveSource {
  /** The source of its events: the provider, or the registered name of an external source. */
  readonly source: string;
  readonly connectionId: string;
}

/** The connections for which a caller is about to write: all of a source, or a single one. */
export type LockedSource = Pick<LiveSource, 'source'> | Pick<LiveSource, 'connectionId'>;

/** A registry of connections; none until a plugin contributes one (ledger L-84). */
export interface EventSource extends CollectionEntry {
  /**
   * The live connections of the graph; one statement. Given a source or an id, it may return only the matching ones,
   * and keeps them live until the end of the transaction, which must be a writing one.
   */
  live(tx: Transaction, held?: LockedSource): Promise<readonly LiveSource[]>;
}

export const eventSources = createCollection<EventSource>('ledger.event-sources');
