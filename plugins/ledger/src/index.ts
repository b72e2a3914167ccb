export { isCurrency, majorUnits, minorDigits } from './domain/money.ts';
export { default } from './plugin.ts';
export {
  type AccountSums,
  type Balances,
  balances,
  type DateRange,
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
} from './tokens.ts';
