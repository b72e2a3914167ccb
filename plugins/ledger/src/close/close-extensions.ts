import type { CollectionEntry, Transaction } from '@pacioli/core';
import type { Actor } from '../values/index.ts';
import type { CloseFinding, CloseOverride, CloseStepResult, FiscalMonth } from './close-facts.ts';

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

/**
 * A condition of closing a month; its key is the code in `blockers` (ledger 7.3). Read-only. Codes are listed in the
 * order of the collection: those of the calendar, `sync_stale`, `pending_obligations`, `stranded_obligations`,
 * `reconciling_items`. A plugin places its own with `before` and `after` of `contribute`.
 */
export interface CloseGate extends CollectionEntry {
  readonly overrideFlag?: CloseOverride;
  /** The name of the gate in the audit note when it is overridden, such as `sync`. */
  readonly label: string;
  /** Undefined when the gate passes. */
  evaluate(args: CloseGateArgs): Promise<CloseFinding | undefined>;
}

export interface CloseStepArgs extends Actor {
  readonly tx: Transaction;
  readonly graphId: string;
  readonly month: FiscalMonth;
}

/**
 * Work that belongs to a close, after its entries are posted and the calendar has moved, in the same transaction
 * (ledger L-158): an error rolls the close back. Steps run in the order of the collection and are undone in reverse;
 * those that need evaluated schedule rules follow `schedule-rules`.
 */
export interface CloseStep extends CollectionEntry {
  run(args: CloseStepArgs & { readonly wasReclose: boolean }): Promise<Partial<CloseStepResult>>;
  /** Undoes the effects of `run` when the month is reopened (ledger L-169). */
  reopen?(args: CloseStepArgs): Promise<void>;
}

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
