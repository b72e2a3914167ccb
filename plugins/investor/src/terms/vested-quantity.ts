import type { JsonSchema } from './definitions.ts';
import { wholeMonthsBetween } from './months.ts';
import { statedCount, statedDate, statedFields } from './stated-values.ts';

const monthsOfInterval: ReadonlyMap<unknown, number> = new Map([
  ['monthly', 1],
  ['quarterly', 3],
  ['annually', 12],
]);

/**
 * The units of an option, warrant or restricted stock unit that have vested by a date, rounded down to whole units
 * (investor 4). Nothing vests before the cliff; at the cliff everything accrued so far vests at once, then an equal
 * part with each whole interval, and the rest with the last month. The total is `shares_underlying` or `units_granted`,
 * the start `vesting.start_date` or else `grant_date`; the interval is monthly unless stated. Exercised and forfeited
 * units are not subtracted. Undefined for terms without a total, a start or, unless all vests at once, a length.
 */
export function vestedQuantity(terms: JsonSchema, asOf: string): bigint | undefined {
  const total = statedCount(terms, 'shares_underlying') ?? statedCount(terms, 'units_granted');
  const vesting = statedFields(terms, 'vesting');
  if (total === undefined || vesting === undefined) return undefined;
  const start = statedDate(vesting, 'start_date') ?? statedDate(terms, 'grant_date');
  if (start === undefined) return undefined;
  const elapsed = asOf < start ? -1 : wholeMonthsBetween(start, asOf);
  const isBeforeCliff = elapsed < 0 || BigInt(elapsed) < (statedCount(vesting, 'cliff_months') ?? 0n);
  if (vesting['interval'] === 'immediate') return isBeforeCliff ? 0n : total;
  const length = statedCount(vesting, 'total_months');
  if (length === undefined || length === 0n) return undefined;
  if (isBeforeCliff) return 0n;
  if (BigInt(elapsed) >= length) return total;
  const interval = monthsOfInterval.get(vesting['interval'] ?? 'monthly') ?? 1;
  return (total * BigInt(elapsed - (elapsed % interval))) / length;
}
