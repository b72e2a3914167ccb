/** Journal entries: lines, checks, period locks, and the one unit of work that writes them. */

export { belowZero, firstBelowZero, type LimitedAccount } from './account-limits.ts';
export { requireCapacityForAmount, requireCapacityForDebits } from './book-totals.ts';
export { bookingFailureOf, bookingRefusal } from './booking-refusal.ts';
export { closedMonths, closedPeriod, firstMonth, isClosedMonth, topUpMonths } from './closed-months.ts';
export { DraftWrites } from './draft-writes.ts';
export {
  type EntryType,
  entryTypes,
  MetadataProblem,
  maxEntriesPerEvent,
  maxLinesPerEntry,
  readJournal,
  readReversal,
} from './journal-metadata.ts';
export type { HandledEvent, JournalPlan, PlannedEntry } from './journal-plan.ts';
export {
  type EntryRow,
  JournalReads,
  type LineRow,
  maxEntriesOfEvent,
  type TransactionRow,
} from './journal-reads.ts';
export { duplicateEvent, refusalError } from './journal-refusal.ts';
export type { NewEvent } from './journal-rows.ts';
export { JournalWriter, type WrittenEntry } from './journal-writer.ts';
export { resolveAccounts, unresolved } from './line-accounts.ts';
export { type Line, problemOfLines, reversed, totals } from './lines.ts';
export { type LockedMonths, lockMonthExclusive, withLockName } from './locked-months.ts';
export { accountsOf, debitsAdded, limitedAmong, lockAccounts, type Postable, requirePostable } from './postable.ts';
export { requireWithinDateLimit } from './posting-date-limit.ts';
export { openReceipt, receivablesDebited } from './receipts-on-account.ts';
export { type JournalDecision, type JournalWork, type WorkDates, writeJournal } from './write-journal.ts';
