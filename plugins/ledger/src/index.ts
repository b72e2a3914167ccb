export { type ExpectedBalance, type PeriodBalances, periodBalances } from './balance-tokens.ts';
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
} from './domain/close-facts.ts';
export { foreignLinesCheck, foreignLinesFinding } from './domain/foreign-lines.ts';
export type { FullBalance } from './domain/full-balance.ts';
export { isCurrency, majorUnits, minorDigits } from './domain/money.ts';
export type { Rollforward, RollforwardFact } from './domain/rollforward.ts';
export type { Side } from './domain/settlement.ts';
export { ValidationCheck, validationOf } from './models/ValidationCheck.ts';
export { default } from './plugin.ts';
export { type EventSource, eventSources, type HeldSource, type LiveSource } from './source-tokens.ts';
export {
  type AccountBalance,
  type AccountingConnection,
  type AccountingConnectionSource,
  type AccountSums,
  accountingConnections,
  type Balances,
  balances,
  type CloseGate,
  type CloseGateArgs,
  type CloseStep,
  type CloseStepArgs,
  closeGates,
  closeSteps,
  type DateRange,
  type Entities,
  type EntityRow,
  type EventHandler,
  entities,
  eventHandlers,
  type FiscalYearStart,
  type ForeignLines,
  fiscalYearStart,
  type HandledEvent,
  type JournalPlan,
  type PlannedEntry,
  type RangeSums,
  type RollforwardReads,
  rollforwards,
  type ScheduleOfMonth,
  type ScheduleSettings,
  type ScheduleSource,
  scheduleSettings,
  scheduleSources,
} from './tokens.ts';
