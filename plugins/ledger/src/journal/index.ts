/** Journal entries: lines, checks, period locks, and the one statement that writes them. */

export { belowZero, firstBelowZero, onItsSide, requireNotNegative } from './account-limits.ts';
export { accountsMissing, lockAccounts } from './account-locks.ts';
export { lockCapacity, requireCapacityForAmount, requireCapacityForDebits } from './book-totals.ts';
export { bookingFailureOf, bookingRefusal } from './booking-refusal.ts';
export { type DraftChange, DraftWrites } from './draft-writes.ts';
export {
  type EntryType,
  entryTypes,
  MetadataProblem,
  maxEntriesPerEvent,
  maxLinesPerEntry,
  readJournal,
  readReversal,
} from './journal-metadata.ts';
export { type EntryRow, JournalReads, type LineRow, type TransactionRow } from './journal-reads.ts';
export { JournalWriter, type NewEvent, type Refusal } from './journal-writer.ts';
export { resolveAccounts, unresolved } from './line-accounts.ts';
export { type Line, netByAccount, problemOfLines, reversed, totals } from './lines.ts';
export {
  closedMonths,
  firstClosed,
  firstMonth,
  lockMonthExclusive,
  lockMonthsShared,
  topUpMonths,
  withLockName,
} from './period-lock.ts';
export { requireWithinDateLimit } from './posting-date-limit.ts';
