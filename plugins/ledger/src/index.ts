export {
  type AccountBalance,
  type AccountSums,
  type Balances,
  type ExpectedBalance,
  type FiscalYearStart,
  type ForeignLines,
  type FullBalance,
  foreignLinesCheck,
  foreignLinesFinding,
  type PeriodBalances,
  type RangeSums,
} from './balances/index.ts';
export {
  type BookedEntry,
  type BookedEvent,
  type Bookkeeping,
  type BookkeepingAuthor,
  type BookkeepingEntry,
  type BookkeepingEvent,
  type BookkeepingLine,
  type BookkeepingPreview,
  type BookkeepingReversal,
  type BookkeepingSource,
  bookkeepingErrors,
  type EventCategory,
  type PreviewedEntry,
} from './bookkeeping/index.ts';
export type {
  AccountingConnection,
  AccountingConnectionSource,
  CloseBlockerDetails,
  CloseFinding,
  CloseGate,
  CloseGateArgs,
  CloseOverride,
  CloseStep,
  CloseStepArgs,
  CloseStepResult,
  CloseWarning,
  CloseWarnings,
  FiscalMonth,
  ObligationDetail,
  RuleSummary,
  ScheduleOfMonth,
  ScheduleSource,
} from './close/index.ts';
export type { DraftAuthor, EntryChange, JournalDrafts } from './edits/index.ts';
export type { EventHandler, EventSource, LiveSource, LockedSource, PlanWork } from './event-blocks/index.ts';
export type { HandledEvent, JournalPlan, LockedMonths, PlannedEntry } from './journal/index.ts';
export type { BookVerifier, BrokenInvariant, LedgerLog, LogHead } from './log/index.ts';
export { ValidationCheck, validationOf } from './models/ValidationCheck.ts';
export type { AgedBalance, Aging, Side } from './open-items/index.ts';
export type { Entities, EntityRow } from './parties/index.ts';
export { default } from './plugin.ts';
export type { Booking, Delivered, Delivery, Reconciliation } from './reconciling/index.ts';
export type { Rollforward, RollforwardFact, RollforwardReads } from './rollforwards/index.ts';
export type { ScheduleSettings } from './schedules/index.ts';
export {
  accountingConnections,
  aging,
  balances,
  bookkeeping,
  bookkeepingSources,
  bookVerifier,
  closeGates,
  closeSteps,
  closeWarnings,
  entities,
  eventHandlers,
  eventSources,
  fiscalYearStart,
  journalDrafts,
  ledgerLog,
  periodBalances,
  reconciliation,
  rollforwards,
  scheduleSettings,
  scheduleSources,
} from './tokens.ts';
export { type DateRange, isCurrency, majorUnits, minorDigits } from './values/index.ts';
