/** The fiscal calendar, the gates of a close, closing and reopening a month. */

export { countEntries, countLines } from './book-counts.ts';
export { BookMonths, monthOf } from './book-months.ts';
export type { BookMonth, Calendar, CalendarState } from './calendar.ts';
export { calendarGates, liveConnections } from './calendar-gates.ts';
export { CalendarReader } from './calendar-reader.ts';
export type { CloseReceipt } from './close.ts';
export type {
  AccountingConnection,
  AccountingConnectionSource,
  CloseGate,
  CloseGateArgs,
  CloseStep,
  CloseStepArgs,
  ScheduleOfMonth,
  ScheduleSource,
} from './close-extensions.ts';
export type {
  CloseBlockerDetails,
  CloseFinding,
  CloseOverride,
  CloseStepResult,
  FiscalMonth,
  ObligationDetail,
  RuleSummary,
} from './close-facts.ts';
export { CloseReader } from './close-reader.ts';
export { DraftCheck } from './draft-check.ts';
export { DraftReads } from './draft-reads.ts';
export { fiscalYearEndMonth } from './fiscal-year-end-month.ts';
export { MonthEntries } from './month-entries.ts';
export { MonthGates } from './month-gates.ts';
export { monthHash } from './month-hash.ts';
export { MonthLock } from './month-lock.ts';
export { PeriodCloser } from './period-closer.ts';
export { PeriodReopener } from './period-reopener.ts';
export { PeriodLocks } from './period-rows.ts';
export { PlanHistory } from './plan-history.ts';
export { StatementSkip } from './statement-skip.ts';
export { calendarActor, requireCalendar, StoredCalendar } from './stored-calendar.ts';
export { requireNoDraftsUpTo } from './taken-over-months.ts';
export { type CloseWarning, type CloseWarnings, UnpostedEvents } from './unposted-events.ts';
