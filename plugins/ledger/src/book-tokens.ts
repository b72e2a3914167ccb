import { type ChainHead, createToken, type Transaction } from '@pacioli/core';
import type { EntryType, Line } from './journal/index.ts';
import type { Side } from './open-items/index.ts';

/** A record of a provider, as a sync or a feed brings it. */
export interface Delivery {
  readonly source: string;
  /** The provider's id of the record: a second delivery of it never makes a second event (ledger L-201). */
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
  /** The provider's number of this version of the record; null where it counts none. */
  readonly version: number | null;
}

/** What came of a delivery. */
export interface Delivered {
  readonly eventId: string;
  /**
   * `captured`: new. `updated`: overwritten, nothing was booked yet. `flagged`: booked otherwise, so somebody decides.
   * `cleared`: it says again what is booked. `unchanged`: it says what is booked. `stale`, `same`: an older version, or
   * the one that is known. `left`: the event was taken back, or waits for its date.
   */
  readonly kind: 'captured' | 'updated' | 'flagged' | 'cleared' | 'unchanged' | 'stale' | 'same' | 'left';
}

/** What came of booking an event of a provider. */
export type Booking =
  | { readonly isBooked: true; readonly status: string }
  | { readonly isBooked: false; readonly error: string; readonly message: string };

/**
 * Where connections hand over what their providers hold (ledger L-130, L-132, L-136). They work in the
 * caller's transaction, and each call needs one of its own: both lock rows, and `book` has to fence its months before
 * any row is locked (ledger L-150).
 */
export interface Reconciliation {
  /** Keeps a new record, updates one that nobody booked, and flags one that was booked otherwise; the books stay as they are. */
  deliver(tx: Transaction, delivery: Delivery, by: { readonly userId: string; readonly now: Date }): Promise<Delivered>;
  /** Books a captured event with posted entries. What stands in the way is kept with the event, and nothing else. */
  book(tx: Transaction, eventId: string, now: Date): Promise<Booking>;
}

export const reconciliation = createToken<Reconciliation>('ledger.reconciliation');

/** A rule that the books do not keep. */
export interface BrokenInvariant {
  /** The rule of the specification, such as `L-196`. */
  readonly rule: string;
  readonly meaning: string;
  /** Ids of rows that break it; at most 20. */
  readonly offenders: readonly string[];
}

/** Says whether the books of the transaction's graph keep the rules that hold after every write (ledger 10). */
export interface BookVerifier {
  /**
   * Empty when all is well. Reads all rows of the books and of their log, a part at a time; writes nothing.
   */
  verify(tx: Transaction): Promise<readonly BrokenInvariant[]>;
}

/** A change of a draft; what is undefined stays (ledger L-55). */
export interface EntryChange {
  readonly entryId: string;
  /** The version that the caller has read. When the draft has another one by now, nothing changes (ledger L-216). */
  readonly version?: number;
  readonly postingDate?: string | undefined;
  /** Null clears it. */
  readonly memo?: string | null | undefined;
  readonly type?: EntryType | undefined;
  /** They replace all lines. */
  readonly lines?: readonly Line[] | undefined;
}

/** Changes of drafts by other plugins, in their transaction; what they replace is kept (ledger L-54 to L-59, L-216). */
export interface JournalDrafts {
  /** The version that the draft has afterwards. A version that is not the present one is refused with `VERSION_CHANGED`. */
  change(tx: Transaction, change: EntryChange, by: DraftAuthor): Promise<number>;
  /** The version of an entry, draft or not; undefined when there is none. */
  version(tx: Transaction, entryId: string): Promise<number | undefined>;
}

/** Who changes a draft, and when. */
export interface DraftAuthor {
  readonly userId: string;
  readonly now: Date;
}

export const journalDrafts = createToken<JournalDrafts>('ledger.journal-drafts');

/** Something about a month that a careful person looks at before closing it, and that stops no close. */
export interface CloseWarning {
  /** `unposted_events`: events of the month that are captured or classified, and have no entries. */
  readonly code: 'unposted_events';
  readonly count: number;
  /** The ids of the first ten, by time. */
  readonly sample: readonly string[];
}

/** Warnings about a month; nobody is warned who does not ask (ledger L-154). */
export interface CloseWarnings {
  /** Empty when there is nothing to say. */
  warnings(tx: Transaction, period: string): Promise<readonly CloseWarning[]>;
}

export const closeWarnings = createToken<CloseWarnings>('ledger.close-warnings');

/** Where the chain of the log ends. */
export type LogHead = ChainHead;

/** The log of what was written to the books, chained by hashes (ledger L-214). Rows are there at once, and are sealed soon. */
export interface LedgerLog {
  /** Seals the oldest rows of the transaction's graph that wait, at most 2,000; how many they were. */
  seal(tx: Transaction): Promise<number>;
  /** The last sealed row; undefined while there is none. Keep it elsewhere, and no row before it can change unseen. */
  head(tx: Transaction): Promise<LogHead | undefined>;
  /** Graphs that have rows to seal, at most so many; in the scope of the kernel. */
  graphsToSeal(tx: Transaction, maxGraphs: number): Promise<readonly string[]>;
}

export const ledgerLog = createToken<LedgerLog>('ledger.log');

export const bookVerifier = createToken<BookVerifier>('ledger.book-verifier');

/** What is open of one age and currency, in minor units; below zero when overpaid. */
export interface AgedBalance {
  /** Days past due: `current` is none. */
  readonly bucket: 'current' | '1-30' | '31-60' | '61-90' | 'over-90';
  readonly currency: string;
  readonly total: bigint;
  readonly events: number;
}

/** How long it has been due (ledger L-102). */
export interface Aging {
  /** What was open on a day, by its age, the youngest first; only with what had been paid by then. One statement. */
  aging(tx: Transaction, side: Side, asOf: string): Promise<readonly AgedBalance[]>;
}

export const aging = createToken<Aging>('ledger.aging');
