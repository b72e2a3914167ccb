/** Sums of posted lines by account and period. */
export type {
  AccountBalance,
  AccountSums,
  Balances,
  ExpectedBalance,
  FiscalYearStart,
  ForeignLines,
  PeriodBalances,
  RangeSums,
} from './balances.ts';
export { foreignLinesCheck, foreignLinesFinding } from './foreign-lines.ts';
export type { FullBalance } from './full-balance.ts';
export { PostedPeriodBalances } from './period-balances.ts';
export { naturalBalance, rollUp } from './rollups.ts';
export { StoredBalances } from './stored-balances.ts';
