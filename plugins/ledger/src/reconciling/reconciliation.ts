import type { Transaction } from '@pacioli/core';
import type { Actor } from '../values/index.ts';

/** A provider's record as delivered by a sync or a feed. */
export interface Delivery {
  readonly source: string;
  /** The provider's id of the record: a second delivery of it never creates a second event (ledger L-201). */
  readonly externalId: string;
  readonly connectionId: string;
  readonly eventType: string;
  readonly eventCategory: string;
  readonly eventAction: string | null;
  /** Instants in UTC. */
  readonly occurredAt: string;
  readonly effectiveAt: string | null;
  /** Minor units. */
  readonly amount: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly agentId: string | null;
  readonly resourceElementId: string | null;
  readonly externalUrl: string | null;
  /** The record's content, as the metadata of the event holds it. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The provider's number of this version of the record; null when the provider does not version records. */
  readonly version: number | null;
}

/** The outcome of a delivery. */
export interface Delivered {
  readonly eventId: string;
  /**
   * `captured`: new. `updated`: overwritten, because nothing was booked yet. `flagged`: differs from the books, so a
   * user decides. `cleared`: matches the books again. `unchanged`: matches the books. `stale`, `same`: an older
   * version, or the known one. `left`: the event was retracted, or waits for its date.
   */
  readonly kind: 'captured' | 'updated' | 'flagged' | 'cleared' | 'unchanged' | 'stale' | 'same' | 'left';
}

/** The outcome of booking an event of a provider. */
export type Booking =
  | { readonly isBooked: true; readonly status: string }
  | { readonly isBooked: false; readonly error: string; readonly message: string };

/**
 * Accepts provider records from connections (ledger L-130, L-132, L-136). Each call needs a separate transaction of its
 * caller: both methods lock rows, and `book` must take the period locks before any row lock (ledger L-150).
 */
export interface Reconciliation {
  /**
   * Captures a new record, updates an unbooked one, and flags one that was booked differently; never changes entries.
   */
  deliver(tx: Transaction, delivery: Delivery, by: Actor): Promise<Delivered>;
  /** Books a captured event with posted entries. A failure writes only its reason, on the event. */
  book(tx: Transaction, eventId: string, now: Date): Promise<Booking>;
}
