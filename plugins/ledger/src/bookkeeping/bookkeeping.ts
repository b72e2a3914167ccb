import type { CollectionEntry, Transaction } from '@pacioli/core';
import type { Actor } from '../values/index.ts';

/**
 * A source of events that a plugin registers, so that readers of the books see the origin of an entry; its key is the
 * source. Only `bookkeeping` accepts it: a request of a client with this source is refused (ledger L-219).
 */
export interface BookkeepingSource extends CollectionEntry {
  /** The origin in words, such as `Expense claims`. */
  readonly title: string;
}

/** The user for whom a plugin writes, and the time: `ctx.caller.userId` and `ctx.now()` of an operation. */
export type BookkeepingAuthor = Actor;

/** The area of the business that an event belongs to. The last four have no entries (ledger 5.1). */
export type EventCategory =
  | 'sales'
  | 'purchase'
  | 'financing'
  | 'payroll'
  | 'treasury'
  | 'adjustment'
  | 'recognition'
  | 'other'
  | 'control'
  | 'approval'
  | 'reconciliation'
  | 'inquiry';

/** The fields that every event has. */
interface EventFields {
  /** The key of a registered source. */
  readonly source: string;
  /**
   * The plugin's own id of what happened, so that work that is repeated books once: a source has at most one event with
   * it, and another call returns that event (ledger L-221).
   */
  readonly reference?: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Something that happened in the business; its handler knows the entries that it has. */
export interface BookkeepingEvent extends EventFields {
  readonly eventType: string;
  readonly eventCategory: EventCategory;
  readonly occurredAt: Date;
  readonly effectiveAt?: Date;
  /** Minor units of the currency; negative for an outflow. */
  readonly amount?: bigint;
  /** ISO 4217; the functional currency of the books if absent. */
  readonly currency?: string;
  readonly agentId?: string;
  /** The account that the event concerns, such as that of the bank. */
  readonly resourceElementId?: string;
  /** A link to the original document; http or https. */
  readonly url?: string;
  /** The event that this one settles, such as the invoice that a payment pays. */
  readonly settles?: string;
  /** False to record the event without entries; they can be written later by `update-event-block`. Default: true. */
  readonly writesEntries?: boolean;
}

/** A line of an entry; exactly one of the amounts is positive, in minor units. */
export interface BookkeepingLine {
  readonly accountId: string;
  readonly debit?: bigint;
  readonly credit?: bigint;
  readonly description?: string;
}

/** An entry whose lines the plugin knows. */
export interface BookkeepingEntry extends EventFields {
  /** `YYYY-MM-DD`; its month must be open. */
  readonly postingDate: string;
  readonly memo?: string;
  readonly lines: readonly BookkeepingLine[];
  /** ISO 4217; the functional currency of the books if absent. */
  readonly currency?: string;
}

/** Its reference names the entry unless another one is given, because an entry is reversed at most once. */
export interface BookkeepingReversal extends EventFields {
  /** A posted entry that is not reversed yet. */
  readonly entryId: string;
  /** `YYYY-MM-DD`; today if absent. Its month must be open. */
  readonly postingDate?: string;
  readonly memo?: string;
}

/** An entry in the books. A draft is posted when its month is closed. */
export interface BookedEntry {
  readonly id: string;
  /** The transaction of the journal; null for entries of schedules and disposals. */
  readonly transactionId: string | null;
  readonly type: string;
  readonly status: 'draft' | 'posted' | 'reversed';
  /** `YYYY-MM-DD`. */
  readonly postingDate: string;
  readonly currency: string;
  readonly reversalOf: string | null;
  /** The sum of the debits, which is that of the credits, in minor units. */
  readonly amount: bigint;
}

export interface BookedEvent {
  readonly eventId: string;
  readonly status: string;
  /** False when the event was recorded before under this reference; then nothing was written. */
  readonly isNew: boolean;
  /** In the order in which they were written. */
  readonly entries: readonly BookedEntry[];
}

/** What `record` would do. */
export interface BookkeepingPreview {
  /** The reason why the event would be refused, or that its reference is taken; undefined if it would be recorded. */
  readonly problem: string | undefined;
  /** The planned entries; none if the event would be refused. */
  readonly entries: readonly PreviewedEntry[];
}

export interface PreviewedEntry {
  readonly postingDate: string;
  readonly status: 'draft' | 'posted';
  readonly memo: string | null;
  /** The total of the debits in minor units. */
  readonly amount: bigint;
  readonly lines: readonly Required<Pick<BookkeepingLine, 'accountId' | 'debit' | 'credit'>>[];
}

const testedBy = '@pacioli/ledger';

/** The refusals that every method has. */
const refusals = {
  ALREADY_EXISTS: { kind: 'conflict', meaning: 'Another event was recorded under this reference.', testedBy },
  BALANCE_BELOW_ZERO: {
    kind: 'invalid_input',
    meaning: 'An account with `no_negative` would fall below zero; `details` has its id.',
    testedBy,
  },
  WRITE_CONFLICT: {
    kind: 'conflict',
    meaning: 'Another caller changed the books first; send the request again.',
    testedBy,
  },
  INVALID_INPUT: {
    kind: 'invalid_input',
    meaning: 'The event, its entries, its accounts or its month are not valid; the message says which.',
    testedBy,
  },
} as const;

/**
 * The refusals of each method of `Bookkeeping`, for the `errors` of a part that calls it: `errors: {
 * ...bookkeepingErrors.post, NO_CLAIM: '…' }`.
 */
export const bookkeepingErrors = {
  record: {
    ...refusals,
    AMBIGUOUS_HANDLERS: { kind: 'conflict', meaning: 'Two handlers of the event have the same priority.', testedBy },
    NO_EVENT_HANDLER: { kind: 'not_found', meaning: 'No handler matches the event.', testedBy },
  },
  post: refusals,
  reverse: {
    ...refusals,
    NOT_FOUND: { kind: 'not_found', meaning: 'No journal entry of this graph has the id.', testedBy },
  },
} as const;

/**
 * Writes to the books for another plugin, in the plugin's transaction: with its own rows or not at all. It takes the
 * path of the operations, with the same checks, locks and log, and marks the analytical graph stale. Refusals are those
 * of `create-event-block`: `bookkeepingErrors` (ledger L-220). Months stay locked until the transaction ends, so a long
 * transaction calls it last.
 */
export interface Bookkeeping {
  /** Records an event and writes the entries of its handler. */
  record(tx: Transaction, event: BookkeepingEvent, by: BookkeepingAuthor): Promise<BookedEvent>;
  /** Does what `record` does and rolls it back. */
  preview(tx: Transaction, event: BookkeepingEvent, by: BookkeepingAuthor): Promise<BookkeepingPreview>;
  /** Posts an entry of at least two lines whose debits equal its credits. */
  post(tx: Transaction, entry: BookkeepingEntry, by: BookkeepingAuthor): Promise<BookedEvent>;
  /** Posts the entry that undoes a posted one, in the currency of that one. */
  reverse(tx: Transaction, reversal: BookkeepingReversal, by: BookkeepingAuthor): Promise<BookedEvent>;
}
