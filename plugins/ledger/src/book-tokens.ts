import { type ChainHead, createToken, type Transaction } from '@pacioli/core';
import type { EntryType } from './journal/journal-metadata.ts';
import type { Line } from './journal/lines.ts';
import type { Side } from './open-items/settlement.ts';

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
  deliver(tx: Transaction, delivery: Delivery, by: { readonly userId: string; readonly now: Date }): Promise<Delivered>;
  /** Books a captured event with posted entries. A failure writes only its reason, on the event. */
  book(tx: Transaction, eventId: string, now: Date): Promise<Booking>;
}

export const reconciliation = createToken<Reconciliation>('ledger.reconciliation');

/** A rule that the books violate. */
export interface BrokenInvariant {
  /** The rule of the specification, such as `L-196`. */
  readonly rule: string;
  readonly meaning: string;
  /** Ids of rows that violate it; at most 20. */
  readonly offenders: readonly string[];
}

/** Checks the books of the transaction's graph against the rules that hold after every write (ledger 10). */
export interface BookVerifier {
  /**
   * Returns an empty list when the books are sound. Reads all rows of the books and of their log in batches. Needs the
   * one snapshot of a read-only transaction: rows that are sealed between two statements would look altered.
   */
  verify(tx: Transaction): Promise<readonly BrokenInvariant[]>;
}

/** A change of a draft; undefined fields stay (ledger L-55). */
export interface EntryChange {
  readonly entryId: string;
  /** The version that the caller read; the change is refused when the draft has another one by now (ledger L-216). */
  readonly version?: number;
  readonly postingDate?: string | undefined;
  /** Null clears it. */
  readonly memo?: string | null | undefined;
  readonly type?: EntryType | undefined;
  /** They replace all lines. */
  readonly lines?: readonly Line[] | undefined;
}

/** Changes drafts for other plugins, in their transaction, and keeps replaced versions (ledger L-54 to L-59, L-216). */
export interface JournalDrafts {
  /** Returns the draft's new version. Throws `VERSION_CHANGED` when the given version is not the current one. */
  change(tx: Transaction, change: EntryChange, by: DraftAuthor): Promise<number>;
  /** The version of an entry, draft or not; undefined when there is none. */
  version(tx: Transaction, entryId: string): Promise<number | undefined>;
}

/** The author and time of a change of a draft. */
export interface DraftAuthor {
  readonly userId: string;
  readonly now: Date;
}

export const journalDrafts = createToken<JournalDrafts>('ledger.journal-drafts');

/** A finding to review before closing a month; it does not block the close. */
export interface CloseWarning {
  /** `unposted_events`: events of the month that are captured or classified, and have no entries. */
  readonly code: 'unposted_events';
  readonly count: number;
  /** The ids of the first ten, by time. */
  readonly sample: readonly string[];
}

/** Warnings about a month, computed only on request (ledger L-154). */
export interface CloseWarnings {
  /** Empty when there is nothing to review. */
  warnings(tx: Transaction, period: string): Promise<readonly CloseWarning[]>;
}

export const closeWarnings = createToken<CloseWarnings>('ledger.close-warnings');

/** The last link of the log's hash chain. */
export type LogHead = ChainHead;

/** The hash-chained log of all writes to the books (ledger L-214). Rows appear with the write and are sealed later. */
export interface LedgerLog {
  /** Seals the oldest unsealed rows of the transaction's graph, at most 2,000, and returns their number. */
  seal(tx: Transaction): Promise<number>;
  /** The last sealed row, if any. A copy kept elsewhere makes every change of an earlier row detectable. */
  head(tx: Transaction): Promise<LogHead | undefined>;
  /** Up to `maxGraphs` graphs with unsealed rows; requires the kernel's scope. */
  graphsToSeal(tx: Transaction, maxGraphs: number): Promise<readonly string[]>;
}

export const ledgerLog = createToken<LedgerLog>('ledger.log');

export const bookVerifier = createToken<BookVerifier>('ledger.book-verifier');

/** The open amount of one age bucket and currency, in minor units; negative when overpaid. */
export interface AgedBalance {
  /** Days past due; `current` is not past due. */
  readonly bucket: 'current' | '1-30' | '31-60' | '61-90' | 'over-90';
  readonly currency: string;
  readonly total: bigint;
  readonly events: number;
}

/** Ages open items by days past due (ledger L-102). */
export interface Aging {
  /** Open items as of a day by age, youngest first, net of payments made by then. One statement. */
  aging(tx: Transaction, side: Side, asOf: string): Promise<readonly AgedBalance[]>;
}

export const aging = createToken<Aging>('ledger.aging');
