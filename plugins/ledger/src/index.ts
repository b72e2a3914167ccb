export type { NewCompanies } from './accounts/index.ts';
export { Entity } from './analytical/Entity.ts';
export { Entry } from './analytical/Entry.ts';
export { LineItem } from './analytical/LineItem.ts';
export { Transaction } from './analytical/Transaction.ts';
export {
  type AccountBalance,
  type AccountSums,
  type Balances,
  type ClearedFlow,
  type ClearingAccounts,
  type ClearingFlows,
  type EntryFlow,
  type EntryFlowFilter,
  type EntryFlows,
  type EntryOfFlows,
  type ExpectedBalance,
  type FiscalYearStart,
  type ForeignLines,
  type FullBalance,
  foreignLinesCheck,
  foreignLinesFinding,
  type PeriodBalances,
  type RangeSums,
  type TrialBalance,
  type TrialBalanceRow,
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
  BookMonth,
  Calendar,
  CalendarState,
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
export { fiscalYearEndMonth } from './close/index.ts';
export type { DraftAuthor, EntryChange, JournalDrafts } from './edits/index.ts';
export type { EventHandler, EventSource, LiveSource, LockedSource, PlanWork } from './event-blocks/index.ts';
export { default as entryPosted } from './events/entry-posted.ts';
export { default as entryReversed } from './events/entry-reversed.ts';
export { default as eventRecorded } from './events/event-recorded.ts';
export { default as invoiceSettled } from './events/invoice-settled.ts';
export { default as periodClosed } from './events/period-closed.ts';
export { default as periodReopened } from './events/period-reopened.ts';
export type { HandledEvent, JournalPlan, LockedMonths, PlannedEntry } from './journal/index.ts';
export type { BookVerifier, BrokenInvariant, LedgerLog, LogHead } from './log/index.ts';
export { ValidationCheck, validationOf } from './models/ValidationCheck.ts';
export type { AgedBalance, Aging, Side } from './open-items/index.ts';
export type {
  DeclaredSources,
  Entities,
  EntityRow,
  EntitySummary,
  LinkedEntities,
  LinkedEntity,
  LinkedEntityFields,
  LinkedEntityListener,
  NamedEntity,
  SharedEntity,
} from './parties/index.ts';
export { entitySources } from './parties/index.ts';
export { default } from './plugin.ts';
export type { Booking, Delivered, Delivery, Reconciliation } from './reconciling/index.ts';
export type { Rollforward, RollforwardFact, RollforwardReads } from './rollforwards/index.ts';
export type { PlannedMovement, PlannedMovements, ScheduleSettings } from './schedules/index.ts';
export {
  accountingConnections,
  aging,
  balances,
  bookkeeping,
  bookkeepingSources,
  bookVerifier,
  calendar,
  closeGates,
  closeSteps,
  closeWarnings,
  declaredSources,
  entities,
  entryFlows,
  eventHandlers,
  eventSources,
  fiscalYearStart,
  journalDrafts,
  ledgerLog,
  linkedEntities,
  linkedEntityListeners,
  newCompanies,
  periodBalances,
  plannedMovements,
  reconciliation,
  rollforwards,
  scheduleSettings,
  scheduleSources,
} from './tokens.ts';
export { type DateRange, isCurrency, majorText, majorUnits, minorDigits } from './values/index.ts';
