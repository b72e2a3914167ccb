/** Sums of posted lines by account and period. */
export { foreignLinesCheck, foreignLinesFinding } from './foreign-lines.ts';
export type { FullBalance } from './full-balance.ts';
export { keepMonthTotals } from './month-totals.ts';
export { PostedPeriodBalances } from './period-balances.ts';
export { naturalBalance, rollUp } from './rollups.ts';
export { StoredBalances } from './stored-balances.ts';
