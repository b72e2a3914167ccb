// The entry point for dates: days are `YYYY-MM-DD` and months `YYYY-MM`, whose order as text is that of time.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loaded with the first calculation: it takes 16 ms, and a start needs none. */
const temporal = (): typeof import('temporal-polyfill').Temporal => require('temporal-polyfill').Temporal;

/** True for a day that exists; calendars have no year 0. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false;
  try {
    temporal().PlainDate.from(text);
    return true;
  } catch {
    return false;
  }
}

/** Adds days to a calendar date; a negative number counts back. */
export function plusDays(date: string, days: number): string {
  return temporal().PlainDate.from(date).add({ days }).toString();
}

/** The days from one calendar date to another; negative when the other is earlier. */
export function daysBetween(from: string, to: string): number {
  return temporal().PlainDate.from(from).until(to).days;
}

/** Adds months to a month; a negative number counts back. */
export function plusMonths(month: string, months: number): string {
  return temporal().PlainYearMonth.from(month).add({ months }).toString();
}

/** The months from one month to another; negative when the other is earlier. */
export function monthsBetween(from: string, to: string): number {
  return temporal().PlainYearMonth.from(from).until(to, { largestUnit: 'month' }).months;
}

/** The first and the last day of a month. */
export function boundsOf(month: string): { readonly start: string; readonly end: string } {
  const { daysInMonth } = temporal().PlainYearMonth.from(month);
  return { start: `${month}-01`, end: `${month}-${daysInMonth}` };
}

/** The month of an instant, in UTC. */
export function monthOf(instant: Date): string {
  return instant.toISOString().slice(0, 7);
}

/** The instant at which a month begins, in UTC. */
export function startOfMonth(month: string): Date {
  return new Date(`${month}-01T00:00:00Z`);
}
