import { boundsOf, monthsBetween, plusMonths } from '@pacioli/core/calendar';

/** The same day after a number of months, or the last day of a month that does not have it. */
export function monthsAfter(date: string, months: number): string {
  const { start, end } = boundsOf(plusMonths(date.slice(0, 7), months));
  const sameDay = `${start.slice(0, 8)}${date.slice(8)}`;
  return sameDay < end ? sameDay : end;
}

/** The whole months from one date to another; negative when the other is earlier. */
export function wholeMonthsBetween(from: string, to: string): number {
  const months = monthsBetween(from.slice(0, 7), to.slice(0, 7));
  return monthsAfter(from, months) > to ? months - 1 : months;
}
