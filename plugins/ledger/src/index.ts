export {
  type AccountBalance,
  type AccountSums,
  type Balances,
  balances,
  type DateRange,
  type ExpectedBalance,
  type ForeignLines,
  type PeriodBalances,
  periodBalances,
  type RangeSums,
} from './balance-tokens.ts';
export { type FullBalance, foreignLinesCheck, foreignLinesFinding } from './balances/index.ts';
export {
  type AgedBalance,
  type Aging,
  aging,
  type Booking,
  type BookVerifier,
  type BrokenInvariant,
  bookVerifier,
  type CloseWarning,
  type CloseWarnings,
  closeWarnings,
  type Delivered,
  type Delivery,
  type DraftAuthor,
  type EntryChange,
  type JournalDrafts,
  journalDrafts,
  type LedgerLog,
  type LogHead,
  ledgerLog,
  type Reconciliation,
  reconciliation,
} from './book-tokens.ts';
export type {
  CloseBlockerDetails,
  CloseFinding,
  CloseOverride,
  CloseStepResult,
  FiscalMonth,
  ObligationDetail,
  RuleSummary,
} from './close/index.ts';
export {
  type AccountingConnection,
  type AccountingConnectionSource,
  accountingConnections,
  type CloseGate,
  type CloseGateArgs,
  type CloseStep,
  type CloseStepArgs,
  closeGates,
  closeSteps,
  type ScheduleOfMonth,
  type ScheduleSource,
  scheduleSources,
} from './close-tokens.ts';
export type { LockedMonths } from './journal/index.ts';
export { ValidationCheck, validationOf } from './models/ValidationCheck.ts';
export type { Side } from './open-items/index.ts';
export { default } from './plugin.ts';
export type { Rollforward, RollforwardFact } from './rollforwards/index.ts';
export { type EventSource, eventSources, type LiveSource, type LockedSource } from './source-tokens.ts';
export {
  type Entities,
  type EntityRow,
  type EventHandler,
  entities,
  eventHandlers,
  type FiscalYearStart,
  fiscalYearStart,
  type HandledEvent,
  type JournalPlan,
  type PlannedEntry,
  type PlanWork,
  type RollforwardReads,
  rollforwards,
  type ScheduleSettings,
  scheduleSettings,
} from './tokens.ts';
export { isCurrency, majorUnits, minorDigits } from './values/index.ts';
