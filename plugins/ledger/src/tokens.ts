import { type CollectionEntry, createCollection, createToken, type Transaction } from '@pacioli/core';
import type { EntryType } from './journal/journal-metadata.ts';
import type { Line } from './journal/lines.ts';
import type { LockedMonths } from './journal/locked-months.ts';
import type { Rollforward } from './rollforwards/rollforward.ts';
import type { LedgerEntity } from './rows.gen.ts';

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

/** The context in which a handler applies a plan. */
export interface PlanWork {
  /** The locked months of the plan, with the transaction. */
  readonly months: LockedMonths;
  readonly eventId: string;
  readonly userId: string;
  readonly now: Date;
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

/** Plans the entries of an event type. Handlers are found by their key, the event type (ledger L-86). */
export interface EventHandler<Effect = unknown> extends CollectionEntry {
  readonly displayName: string;
  /**
   * Read-only, and locks no row, because the period locks come first (ledger L-150). Throws a ServiceError for an event
   * that cannot be executed. Undefined leaves the event to the rules of the tenant (ledger L-95).
   */
  plan(args: {
    readonly tx: Transaction;
    readonly event: HandledEvent;
    readonly today: string;
  }): Promise<JournalPlan<Effect> | undefined>;
  /** The currency that the event's subject dictates; undefined keeps the one that the caller sent. */
  currency?(args: { readonly tx: Transaction; readonly event: HandledEvent }): Promise<string | undefined>;
  /** Plans the event from the account that was chosen for it; throws a ServiceError without a choice (ledger L-79). */
  classified?(event: HandledEvent): JournalPlan<Effect>;
  /**
   * Locks rows that come before events and entries in the lock order, right after the period locks (ledger L-150). This
   * and the following methods run for plans with an `effect`.
   */
  lockFirst?(tx: Transaction, effect: Effect): Promise<void>;
  /** Writes the entries of a plan `writtenBy` the handler, after the event's row; its months are locked and open. */
  apply?(work: PlanWork, effect: Effect): Promise<void>;
  /** Runs after the entries are written, under the locks of `lockFirst`. */
  followUp?(work: PlanWork, effect: Effect): Promise<void>;
  /** Replaces metadata of the event when a rule of the tenant is applied instead of this handler. */
  readonly eventMetadata?: Readonly<Record<string, unknown>>;
}

export const eventHandlers = createCollection<EventHandler>('ledger.event-handlers');

/** The company whose books a graph keeps. */
export type EntityRow = Omit<LedgerEntity, 'graph_id' | 'functional_currency' | 'created_at' | 'updated_at'> & {
  readonly created_at: string;
  readonly updated_at: string;
};

export interface Entities {
  /** The primary entity (ledger L-30). */
  primary(tx: Transaction): Promise<EntityRow | undefined>;
  /** True when the graph has an entity with this id, primary or not. */
  has(tx: Transaction, entityId: string): Promise<boolean>;
  /** Links the primary entity to a chart, once (ledger L-28). */
  linkChart(tx: Transaction, taxonomyId: string, now: Date): Promise<void>;
}

export const entities = createToken<Entities>('ledger.entities');

/** The month in which fiscal years begin. */
export interface FiscalYearStart {
  /** 1 to 12; January while there is no calendar. */
  month(tx: Transaction): Promise<number>;
}

export const fiscalYearStart = createToken<FiscalYearStart>('ledger.fiscal-year-start');

/** Explains changes of balances, for reports (reporting B-36). */
export interface RollforwardReads {
  /**
   * Splits the change between two days, both inclusive, by the flows of the block. 404 for an unknown block; 422 when a
   * strict block leaves a residual (reporting B-37).
   */
  evaluate(
    tx: Transaction,
    request: { readonly structureId: string; readonly periodStart: string; readonly periodEnd: string },
  ): Promise<Rollforward>;
}

export const rollforwards = createToken<RollforwardReads>('ledger.rollforwards');

/** The settings of the automatic promotion of schedule obligations. */
export interface ScheduleSettings {
  /** True when the background sweep also drafts entries; off by default (ledger L-185). */
  autopilot(tx: Transaction): Promise<boolean>;
  setAutopilot(tx: Transaction, isOn: boolean): Promise<void>;
}

export const scheduleSettings = createToken<ScheduleSettings>('ledger.schedule-settings');
