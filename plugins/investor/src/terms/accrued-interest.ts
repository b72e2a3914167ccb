import { plus, type Rational, rational, roundHalfEven, times } from '../values/index.ts';
import { type DayCount, isDayCount, yearFraction } from './day-count.ts';
import type { JsonSchema } from './definitions.ts';
import { monthsAfter, wholeMonthsBetween } from './months.ts';
import { statedCount, statedDate } from './stated-values.ts';

const one = rational(1n);

/**
 * The interest of a note or loan from its issue to a date, in cents of its currency, rounded once, half to even
 * (investor 4). Simple interest is principal × rate × part of the year; with `interest_type` compound, the interest of
 * a year bears interest from each anniversary of the issue. The day count is ACT/365F unless stated. 0 before the
 * issue; payments and maturity are not considered. Undefined for terms without principal, rate or issue date.
 */
export function accruedInterestCents(terms: JsonSchema, asOf: string): bigint | undefined {
  const principal = statedCount(terms, 'principal_cents');
  const basisPoints = statedCount(terms, 'interest_rate_bps');
  const issued = statedDate(terms, 'issue_date');
  if (principal === undefined || basisPoints === undefined || issued === undefined) return undefined;
  if (asOf <= issued) return 0n;
  const dayCount = isDayCount(terms['day_count']) ? terms['day_count'] : 'ACT/365F';
  const rate = rational(basisPoints, 10_000n);
  const interest = terms['interest_type'] === 'compound' ? compounded : simple;
  return roundHalfEven(times(rational(principal), interest({ rate, dayCount, from: issued, to: asOf })));
}

interface Accrual {
  readonly rate: Rational;
  readonly dayCount: DayCount;
  readonly from: string;
  readonly to: string;
}

/** The interest of a principal of one. */
function simple({ rate, dayCount, from, to }: Accrual): Rational {
  return times(rate, yearFraction(dayCount, from, to));
}

/** The interest of each year from anniversary to anniversary is added to the principal, and last that of a part of a year. */
function compounded({ rate, dayCount, from, to }: Accrual): Rational {
  const years = Math.floor(wholeMonthsBetween(from, to) / 12);
  const anniversaries = Array.from({ length: years + 1 }, (_, year) => monthsAfter(from, 12 * year));
  const grown = anniversaries.reduce((principal, start, year) => {
    const end = anniversaries[year + 1] ?? to;
    return times(principal, plus(one, simple({ rate, dayCount, from: start, to: end })));
  }, one);
  return plus(grown, rational(-1n));
}
