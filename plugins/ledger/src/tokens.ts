import { type CollectionEntry, createCollection, createToken, type Transaction } from '@pacioli/core';
import type { CloseFinding, CloseOverride, CloseStepResult, FiscalMonth } from './close/index.ts';
import type { EntryType, Line } from './journal/index.ts';
import type { Rollforward } from './rollforwards/index.ts';

/** An entry that is about to be written. */
export interface PlannedEntry {
  readonly postingDate: string;
  readonly memo: string | null;
  readonly type: EntryType;
  readonly status: 'draft' | 'posted';
  readonly lines: readonly Line[];
  readonly reversalOf: string | null;
}

/** The effect of an event on the journal, planned before anything is written, so that a preview can show it. */
export interface JournalPlan {
  /** `voided` marks an event that drafts nothing, so that no close waits for its entry. */
  readonly eventStatus: 'classified' | 'committed' | 'fulfilled' | 'voided';
  /** The transaction that the entries join; null creates a new one. */
  readonly transactionId: string | null;
  /** True when each entry gets its own new transaction (ledger 5.9); otherwise they share one. */
  readonly oneTransactionEach?: boolean;
  readonly entries: readonly PlannedEntry[];
  /** The origin of the entries; `manual_entry` by default. */
  readonly provenance?: 'manual_entry' | 'event_handler' | 'source_sync' | 'system_computed';
  /** The rule of the tenant that made the plan, with its version (ledger L-112). */
  readonly rule?: { readonly id: string; readonly version: number };
  /** Metadata that the event gets when the plan is executed. */
  readonly eventMetadata?: Readonly<Record<string, unknown>>;
  /** Facts that a preview shows in addition to the entries (ledger L-96). */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The event that obligates this one, unless its author names another. */
  readonly obligatedBy?: string;
  /** Other days to which execution writes; their months are locked, and must be open (ledger L-150, L-151). */
  readonly alsoDated?: readonly string[];
  /** Days whose months are locked but may be closed: rows in them only follow writes in other months. */
  readonly alsoLocked?: readonly string[];
  /** Locks rows that come before events and entries in the lock order, right after the period locks (ledger L-150). */
  lockFirst?(tx: Transaction): Promise<void>;
  /** Replaces the usual write of the entries; runs after the event's row is written, under the period locks. */
  execute?(work: PlanWork): Promise<void>;
  /** Runs after the entries are written, under the locks of `lockFirst`. */
  followUp?(work: PlanWork): Promise<void>;
}

/** The context in which a plan is executed. */
export interface PlanWork {
  readonly tx: Transaction;
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
export interface EventHandler extends CollectionEntry {
  readonly displayName: string;
  /**
   * Read-only, and locks no row, because the period locks come first (ledger L-150). Throws a ServiceError for an event
   * that cannot be executed. Undefined leaves the event to the rules of the tenant (ledger L-95).
   */
  plan(args: {
    readonly tx: Transaction;
    readonly event: HandledEvent;
    readonly today: string;
  }): Promise<JournalPlan | undefined>;
  /** The currency that the event's subject dictates; undefined keeps the one that the caller sent. */
  currency?(args: { readonly tx: Transaction; readonly event: HandledEvent }): Promise<string | undefined>;
  /** Plans the event from the account that was chosen for it; throws a ServiceError without a choice (ledger L-79). */
  classified?(event: HandledEvent): JournalPlan;
  /** Replaces metadata of the event when a rule of the tenant is applied instead of this handler. */
  readonly eventMetadata?: Readonly<Record<string, unknown>>;
}

export const eventHandlers = createCollection<EventHandler>('ledger.event-handlers');

/** Sums of the posted lines of one account (ledger L-40), in minor units of the functional currency. */
export interface AccountSums {
  readonly accountId: string;
  readonly debit: bigint;
  readonly credit: bigint;
}

/** From and to are inclusive; an open end is null (ledger L-39). */
export interface DateRange {
  readonly start: string | null;
  readonly end: string | null;
}

/** Posted lines in a currency other than the functional one; no sum of the books includes them. */
export interface ForeignLines {
  readonly currency: string;
  readonly lines: number;
}

/** One range of days: the sums of accounts in the functional currency, and the lines they leave out (ledger L-5a). */
export interface RangeSums {
  readonly sums: readonly AccountSums[];
  readonly foreign: readonly ForeignLines[];
}

/** Balances of the books, derived from posted lines. */
export interface Balances {
  /** The functional currency, which `initialize` or the first posted entry sets; USD until then (ledger L-5a). */
  currency(tx: Transaction): Promise<string>;
  /**
   * For each range the accounts with activity in it, by account id. One statement, whatever the number of ranges (at
   * most 60).
   */
  sums(tx: Transaction, ranges: readonly DateRange[]): Promise<readonly (readonly AccountSums[])[]>;
  /** Like `sums`, with the currency and the lines left out; for callers that report on completeness. */
  inRanges(
    tx: Transaction,
    ranges: readonly DateRange[],
  ): Promise<{ readonly currency: string; readonly columns: readonly RangeSums[] }>;
  /** The lines that sums of these accounts leave out, by currency. */
  foreign(tx: Transaction, accountIds: readonly string[], range: DateRange): Promise<readonly ForeignLines[]>;
}

export const balances = createToken<Balances>('ledger.balances');

/** The balance of an account, in minor units of the functional currency; debits are positive (ledger L-38). */
export interface AccountBalance {
  readonly accountId: string;
  readonly balance: bigint;
}

/** The company whose books a graph keeps. */
export interface EntityRow {
  readonly id: string;
  readonly name: string;
  readonly legal_name: string | null;
  readonly uri: string | null;
  readonly cik: string | null;
  readonly ticker: string | null;
  readonly exchange: string | null;
  readonly sic: string | null;
  readonly sic_description: string | null;
  readonly category: string | null;
  readonly state_of_incorporation: string | null;
  readonly fiscal_year_end: string | null;
  readonly tax_id: string | null;
  readonly lei: string | null;
  readonly industry: string | null;
  readonly entity_type: string | null;
  readonly reporting_style_id: string | null;
  readonly phone: string | null;
  readonly website: string | null;
  readonly status: string;
  readonly is_parent: boolean;
  readonly parent_entity_id: string | null;
  readonly source: string;
  readonly source_id: string | null;
  readonly source_graph_id: string | null;
  readonly connection_id: string | null;
  readonly address_line1: string | null;
  readonly address_city: string | null;
  readonly address_state: string | null;
  readonly address_postal_code: string | null;
  readonly address_country: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

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

/** The input of a gate. */
export interface CloseGateArgs {
  readonly tx: Transaction;
  readonly month: FiscalMonth;
  /** The status of the month's row; `closing` means reopened (ledger L-146). */
  readonly status: 'open' | 'closing' | 'closed';
  readonly closedThrough: string | null;
  /** The first month that is not closed; undefined when there is none. */
  readonly earliestOpen: string | undefined;
  /** The calendar day of the gates (ledger L-6). */
  readonly today: string;
}

/** A condition of closing a month; its key is the code in `blockers` (ledger 7.3). Read-only. */
export interface CloseGate extends CollectionEntry {
  /**
   * Codes are listed in this order: 10 to 40 belong to the calendar and sync, 50 pending, 60 stranded, 70 reconciling.
   */
  readonly order: number;
  readonly overrideFlag?: CloseOverride;
  /** The name of the gate in the audit note when it is overridden, such as `sync`. */
  readonly label: string;
  /** Undefined when the gate passes. */
  evaluate(args: CloseGateArgs): Promise<CloseFinding | undefined>;
}

export const closeGates = createCollection<CloseGate>('ledger.close-gates');

export interface CloseStepArgs {
  readonly tx: Transaction;
  readonly graphId: string;
  readonly month: FiscalMonth;
  readonly userId: string;
  readonly now: Date;
}

/**
 * Work that belongs to a close, after its entries are posted and the calendar has moved, in the same transaction
 * (ledger L-158): an error rolls the close back. Schedule rules have order 10, statements order 20.
 */
export interface CloseStep extends CollectionEntry {
  readonly order: number;
  run(args: CloseStepArgs & { readonly wasReclose: boolean }): Promise<Partial<CloseStepResult>>;
  /** Undoes the effects of `run` when the month is reopened (ledger L-169). */
  reopen?(args: CloseStepArgs): Promise<void>;
}

export const closeSteps = createCollection<CloseStep>('ledger.close-steps');

/** A live connection to a provider of whole books; bank feeds and external sources do not count (ledger 6.1). */
export interface AccountingConnection {
  readonly connectionId: string;
  readonly writePolicy: 'native' | 'qb_authoritative' | 'hybrid';
  /** Null before the first sync. */
  readonly lastSyncAt: Date | null;
  readonly createdAt: Date;
}

/** A registry of accounting connections; none until a plugin contributes one. */
export interface AccountingConnectionSource extends CollectionEntry {
  live(tx: Transaction): Promise<readonly AccountingConnection[]>;
}

export const accountingConnections = createCollection<AccountingConnectionSource>('ledger.accounting-connections');

/** The part of a schedule that falls in a month (ledger L-174). */
export interface ScheduleOfMonth {
  readonly structureId: string;
  readonly name: string;
  /** The month's debit in exact major units, as decimal text; `0` when there is none. */
  readonly amount: string;
}

/** A source of active schedules of the books. */
export interface ScheduleSource extends CollectionEntry {
  /** Ordered by name; throws above 10,000. One or two statements, whatever the number. */
  activeSchedules(tx: Transaction, month: FiscalMonth): Promise<readonly ScheduleOfMonth[]>;
}

export const scheduleSources = createCollection<ScheduleSource>('ledger.schedule-sources');

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
