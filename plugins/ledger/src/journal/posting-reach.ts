import { invalidInput, type Transaction } from '@pacioli/core';
import { maxReachMonths, newestBeyondReach, oldestBeyondReach, periodOf } from '../values/index.ts';
import { firstMonth } from './period-lock.ts';

/**
 * Refuses days so far away that they can only be a slip of the pen: an entry of 1926 would have its calendar, and the
 * closing of books, begin a century ago (ledger L-17, L-147). Books that began earlier reach back to their first month.
 */
export async function requireWithinReach(tx: Transaction, dates: readonly string[], now: Date): Promise<void> {
  const current = periodOf(now.toISOString());
  const later = newestBeyondReach(dates, current);
  if (later !== undefined)
    throw invalidInput(`${later} is more than ${maxReachMonths} months after the current month. Correct the date.`);
  const earlier = oldestBeyondReach(dates, current);
  if (earlier === undefined) return;
  const first = await firstMonth(tx);
  if (first === undefined || periodOf(earlier) < first)
    throw invalidInput(
      `${earlier} is more than ${maxReachMonths} months before the current month. Correct the date, or bring older history in as an opening balance.`,
    );
}
