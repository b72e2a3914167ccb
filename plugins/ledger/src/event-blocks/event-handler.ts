import type { CollectionEntry, Transaction } from '@pacioli/core';
import type { HandledEvent, JournalPlan, LockedMonths } from '../journal/index.ts';
import type { Actor } from '../values/index.ts';

/** The context in which a handler applies a plan. */
export interface PlanWork extends Actor {
  /** The locked months of the plan, with the transaction. */
  readonly months: LockedMonths;
  readonly eventId: string;
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
