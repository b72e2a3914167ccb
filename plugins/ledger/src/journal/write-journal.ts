import type { Transaction } from '@pacioli/core';
import { writeConflict } from '../values/index.ts';
import { type LimitedAccount, requireNotNegative } from './account-limits.ts';
import { type AddedDebits, requireCapacityForDebits } from './book-totals.ts';
import { requireOpen } from './closed-months.ts';
import { behindLocks, type LockedMonths, requestMonths } from './locked-months.ts';
import { requireWithinDateLimit } from './posting-date-limit.ts';

/** The days in whose months a unit of work writes. */
export interface WorkDates {
  /** Days of entries that the journal statement writes; it refuses closed months itself. */
  readonly entries?: readonly string[];
  /** Other days that rows get. Their months must be open. */
  readonly added?: readonly string[];
  /** Days of rows that are changed or deleted. Their months must be open. */
  readonly changed?: readonly string[];
  /** Days whose months are locked but may be closed: `apply` checks them itself, or rows in them only follow others. */
  readonly followed?: readonly string[];
}

/** The outcome of reading the books before they are written: data without behavior. */
export interface JournalDecision {
  /** Names the changed rows in the message of a write conflict, such as `Event evt_1`. */
  readonly subject: string;
  readonly dates: WorkDates;
  /** True when the work locks rows that exist already; the decision is then made again under their locks. */
  readonly locksRows: boolean;
  /** Debits that are added to the books; absent when none are. */
  readonly debits?: AddedDebits | undefined;
}

/** One change of the journal. `writeJournal` runs its steps in the order in which they are listed here. */
export interface JournalWork<Decision extends JournalDecision, Result> {
  readonly now: Date;
  /** Reads and decides; writes nothing and locks no row. Throws when the change is invalid. */
  decide(): Promise<Decision>;
  /**
   * Locks the rows of the work, schedules before events before entries, each in the order of their ids, and decides
   * again from them. Runs under the period locks, for a decision that `locksRows`. Throws a write conflict when it must
   * not continue with what it found.
   */
  decideAgain?(first: Decision): Promise<Decision>;
  /**
   * Writes. When the decision locks no row and leaves no month to check before, its first statement is sent together
   * with the period locks.
   */
  apply(months: LockedMonths, decision: Decision): Promise<Result>;
  /** Matches the written entries to open items. */
  settle?(result: Result, decision: Decision): Promise<Result>;
  /** The accounts that the work reduced and that may not fall below zero. */
  limited?(result: Result): readonly LimitedAccount[];
}

/**
 * Runs a unit of work of the journal in the transaction of the caller: the one place that knows the order of its checks
 * and locks (ledger L-150, L-151). Everything that writes entries goes through it, except a close, which holds its
 * month exclusively.
 */
export async function writeJournal<Decision extends JournalDecision, Result>(
  tx: Transaction,
  work: JournalWork<Decision, Result>,
): Promise<Result> {
  const first = await work.decide();
  await requireWithinDateLimit(tx, [...(first.dates.entries ?? []), ...(first.dates.added ?? [])], work.now);
  // The lock of the capacity precedes the period locks.
  if (first.debits !== undefined) await requireCapacityForDebits(tx, first.debits);
  const { months, granted } = requestMonths(tx, allDates(first.dates));
  let decision = first;
  if (first.locksRows || checkedDates(first.dates).length > 0) {
    await granted;
    decision = await decideUnderLocks(work, months, first);
    await requireOpen(months, checkedDates(decision.dates));
  }
  const applied = await behindLocks(granted, work.apply(months, decision));
  const result = work.settle === undefined ? applied : await work.settle(applied, decision);
  // Last, because concurrent reductions of these accounts wait from here on.
  await requireNotNegative(tx, work.limited?.(result) ?? []);
  return result;
}

/** The decision that holds under the locks: in the months that were locked, within the capacity that was required. */
async function decideUnderLocks<Decision extends JournalDecision, Result>(
  work: JournalWork<Decision, Result>,
  months: LockedMonths,
  first: Decision,
): Promise<Decision> {
  if (!first.locksRows || work.decideAgain === undefined) return first;
  const decision = await work.decideAgain(first);
  months.requireCovers(allDates(decision.dates), decision.subject);
  if ((decision.debits?.amount ?? 0n) > (first.debits?.amount ?? 0n)) throw writeConflict(decision.subject);
  return decision;
}

function allDates(dates: WorkDates): readonly string[] {
  return [...(dates.entries ?? []), ...checkedDates(dates), ...(dates.followed ?? [])];
}

/** The days whose months `writeJournal` itself requires to be open. */
function checkedDates({ added = [], changed = [] }: WorkDates): readonly string[] {
  return [...added, ...changed];
}
