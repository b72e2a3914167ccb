import type { EntryType } from './journal-metadata.ts';
import type { Line } from './lines.ts';

/** An entry that is about to be written. */
export interface PlannedEntry {
  readonly postingDate: string;
  readonly memo: string | null;
  readonly type: EntryType;
  readonly status: 'draft' | 'posted';
  readonly lines: readonly Line[];
  readonly reversalOf: string | null;
}

/**
 * The entries that an event will have, planned before anything is written, so that a preview can show them. Plain data:
 * the behavior belongs to the handler that made the plan.
 */
export interface JournalPlan<Effect = unknown> {
  /** `voided` marks an event that drafts nothing, so that no close waits for its entry. */
  readonly eventStatus: 'classified' | 'committed' | 'fulfilled' | 'voided';
  /** The transaction that the entries join; null creates a new one. */
  readonly transactionId: string | null;
  /** True when each entry gets its own new transaction (ledger 5.9); otherwise they share one. */
  readonly oneTransactionEach?: boolean;
  readonly entries: readonly PlannedEntry[];
  /** `handler`: the handler writes the entries itself, in `apply`; by default the journal writes them. */
  readonly writtenBy?: 'handler';
  /** The origin of the entries; `manual_entry` by default. */
  readonly provenance?: 'manual_entry' | 'event_handler' | 'source_sync' | 'system_computed';
  /** The rule of the tenant that made the plan, with its version (ledger L-112). */
  readonly rule?: { readonly id: string; readonly version: number };
  /** Metadata that the event gets when the plan is applied. */
  readonly eventMetadata?: Readonly<Record<string, unknown>>;
  /** Facts that a preview shows in addition to the entries (ledger L-96). */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The event that obligates this one, unless its author names another. */
  readonly obligatedBy?: string;
  /** Other days to which applying the plan writes; their months are locked, and must be open (ledger L-150, L-151). */
  readonly alsoDated?: readonly string[];
  /** Days whose months are locked but may be closed: rows in them only follow writes in other months. */
  readonly alsoLocked?: readonly string[];
  /**
   * The data that the handler needs to apply the plan beyond its entries. Without it the plan is only its entries, so a
   * plan `writtenBy` its handler has one.
   */
  readonly effect?: Effect;
}

/** The event as its handler sees it. */
export interface HandledEvent {
  readonly id: string;
  readonly eventType: string;
  readonly eventCategory: string;
  /** An instant in UTC. */
  readonly occurredAt: string;
  readonly effectiveAt: string | null;
  readonly source: string;
  readonly externalId: string | null;
  /** Minor units of the currency; negative for an outflow (ledger L-70). */
  readonly amount: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly agentId: string | null;
  readonly resourceType: string | null;
  readonly resourceElementId: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}
