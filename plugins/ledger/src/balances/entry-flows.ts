import type { Transaction } from '@pacioli/core';
import type { LedgerLineItem } from '../rows.gen.ts';
import type { DateRange } from '../values/index.ts';

/** The lines of one posted entry on one account with one tag. */
export interface EntryFlow {
  readonly accountId: string;
  /** The element that the lines name in `flow_element_id`; null without one. */
  readonly flowElementId: string | null;
  /** Credits minus debits, in minor units: positive where other accounts received it. */
  readonly flow: bigint;
}

/** A posted entry of the functional currency, whose flows sum to zero. */
export interface EntryOfFlows {
  readonly id: LedgerLineItem['entry_id'];
  readonly postingDate: LedgerLineItem['posting_date'];
  readonly flows: readonly EntryFlow[];
}

/** Days with a first one, both ends included. */
export type FlowRange = DateRange & { readonly start: string };

export interface EntryFlowFilter {
  /** Entries posted in one of these ranges, which should not overlap; at most 100. */
  readonly ranges: readonly FlowRange[];
  readonly currency: string;
  /** Entries with a line on one of these accounts; */
  readonly accountIds: readonly string[];
  /** and entries with a line that names one of these elements in `flow_element_id`. */
  readonly flowElementIds: readonly string[];
}

/** Accounts of which an entry that closes income to equity consists (reporting S-2a). */
export interface ClearingAccounts {
  /** Income, expense and distribution accounts. */
  readonly flowIds: readonly string[];
  /** Accounts of the earnings home. */
  readonly equityIds: readonly string[];
  /** Income summary accounts, which count as either side. */
  readonly summaryIds: readonly string[];
}

/** The part of a clearing entry on one account. */
export interface ClearedFlow {
  readonly postingDate: LedgerLineItem['posting_date'];
  readonly entryId: LedgerLineItem['entry_id'];
  readonly accountId: string;
  /** Credits minus debits, in minor units. */
  readonly flow: bigint;
}

/** The entries of a range that close income, expense and distribution accounts to equity. */
export interface ClearingFlows {
  /** Of entries after whose day every flow account that they touch has no balance. */
  readonly cleared: readonly ClearedFlow[];
  /**
   * The days, ascending, of entries with the same accounts that lower the balance of a flow account and leave one on
   * another one or on it, as when something is posted on the day of a closing after it was computed.
   */
  readonly unfinishedDays: readonly string[];
}

/** Posted entries read line by line, for statements that balances do not determine. */
export interface EntryFlows {
  /** The entries in the order of their ids, through a cursor; one statement, whatever their number. */
  entries(tx: Transaction, filter: EntryFlowFilter): AsyncIterable<EntryOfFlows>;
  /**
   * The lines of the entries of a range that close income, expense and distribution accounts to equity: all their
   * lines are on these accounts, and every flow account that they touch has no balance at the end of the day; and the
   * days of entries that only the balance keeps from it (reporting S-2a). One statement.
   */
  clearing(tx: Transaction, range: FlowRange, currency: string, accounts: ClearingAccounts): Promise<ClearingFlows>;
}
