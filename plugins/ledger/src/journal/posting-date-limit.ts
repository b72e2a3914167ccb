import { invalidInput, type Transaction } from '@pacioli/core';
import { maxMonthsFromToday, newestBeyondReach, oldestBeyondReach, periodOf } from '../values/index.ts';
import { firstMonth } from './closed-months.ts';

/**
 * Rejects days so far away that they must be typing errors: an entry dated 1926 would make the calendar, and closing,
 * begin a century ago (ledger L-17, L-147). Books that began earlier accept days back to their first month.
 */
export async function requireWithinDateLimit(tx: Transaction, dates: readonly string[], now: Date): Promise<void> {
  const current = periodOf(now.toISOString());
  const later = newestBeyondReach(dates, current);
  if (later !== undefined)
    throw invalidInput(`${later} is more than ${maxMonthsFromToday} months after the current month. Correct the date.`);
  const earlier = oldestBeyondReach(dates, current);
  if (earlier === undefined) return;
  const first = await firstMonth(tx);
  if (first === undefined || periodOf(earlier) < first)
    throw invalidInput(
      `${earlier} is more than ${maxMonthsFromToday} months before the current month. Correct the date, or record older history as an opening balance.`,
    );
}
