import { daysBetween } from '@pacioli/core/calendar';
import { plus, type Rational, rational } from '../values/index.ts';

/** Ways to count the days of interest. */
export type DayCount = '30/360' | '30E/360' | 'ACT/360' | 'ACT/365F' | 'ACT/ACT';

const fractions: Readonly<Record<DayCount, (from: string, to: string) => Rational>> = {
  '30/360': (from, to) => {
    const start = Math.min(dayOf(from), 30);
    return thirties(from, to, { start, end: start === 30 ? Math.min(dayOf(to), 30) : dayOf(to) });
  },
  '30E/360': (from, to) => thirties(from, to, { start: Math.min(dayOf(from), 30), end: Math.min(dayOf(to), 30) }),
  'ACT/360': (from, to) => rational(BigInt(daysBetween(from, to)), 360n),
  'ACT/365F': (from, to) => rational(BigInt(daysBetween(from, to)), 365n),
  'ACT/ACT': byCalendarYears,
};

export function isDayCount(value: unknown): value is DayCount {
  return typeof value === 'string' && Object.hasOwn(fractions, value);
}

/**
 * The exact part of a year from one date to a later one, by the definitions of ISDA 2006, section 4.16: bond basis for
 * 30/360, and for ACT/ACT the days of each calendar year over its length.
 */
export function yearFraction(dayCount: DayCount, from: string, to: string): Rational {
  return fractions[dayCount](from, to);
}

function thirties(from: string, to: string, days: { readonly start: number; readonly end: number }): Rational {
  const months = 12 * (yearOf(to) - yearOf(from)) + (monthOfYear(to) - monthOfYear(from));
  return rational(BigInt(30 * months + days.end - days.start), 360n);
}

function byCalendarYears(from: string, to: string): Rational {
  const [first, last] = [yearOf(from), yearOf(to)];
  if (first === last) return partOf(first, from, to);
  const whole = rational(BigInt(last - first - 1));
  return plus(plus(partOf(first, from, newYear(first + 1)), whole), partOf(last, newYear(last), to));
}

function partOf(year: number, from: string, to: string): Rational {
  return rational(BigInt(daysBetween(from, to)), BigInt(daysBetween(newYear(year), newYear(year + 1))));
}

const newYear = (year: number): string => `${String(year).padStart(4, '0')}-01-01`;
const yearOf = (date: string): number => Number(date.slice(0, 4));
const monthOfYear = (date: string): number => Number(date.slice(5, 7));
const dayOf = (date: string): number => Number(date.slice(8));
