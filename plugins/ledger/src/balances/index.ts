/** Sums of posted lines by account and period. */
export {
  type AccountBalance,
  type AccountSums,
  type Balances,
  type ExpectedBalance,
  type FiscalYearStart,
  type ForeignLines,
  foreignLinesCheck,
  foreignLinesFinding,
  type PeriodBalances,
  type RangeSums,
  type TrialBalance,
  type TrialBalanceRow,
} from './balances.ts';
export type {
  ClearedFlow,
  ClearingAccounts,
  ClearingFlows,
  EntryFlow,
  EntryFlowFilter,
  EntryFlows,
  EntryOfFlows,
} from './entry-flows.ts';
export type { FullBalance } from './full-balance.ts';
export { keepMonthTotals } from './month-totals.ts';
export { PostedPeriodBalances } from './period-balances.ts';
export { naturalBalance, rollUp } from './rollups.ts';
export { StoredBalances } from './stored-balances.ts';
export { StoredEntryFlows } from './stored-entry-flows.ts';
