import { isCalendarDate, monthsBetween, plusMonths } from '@pacioli/core/calendar';

/** From and to are inclusive; an open end is null (ledger L-39). */
export interface DateRange {
  readonly start: string | null;
  readonly end: string | null;
}

/** Months are named `YYYY-MM`; text comparison orders them (ledger L-6). */
export const periodPattern = '^\\d{4}-(0[1-9]|1[0-2])$';

/** The month of a calendar date. */
export function periodOf(date: string): string {
  return date.slice(0, 7);
}

/** The months of these dates, each once, in order. */
export function monthsOfDates(dates: readonly string[]): readonly string[] {
  return [...new Set(dates.map(periodOf))].sort();
}

/** The years that books can hold, so that no list of months is longer than `maxPeriods`. */
const minYear = 1900;
const maxYear = 2099;
export const maxPeriods = (maxYear - minYear + 1) * 12;

/** All months from the first to the last; empty when the last is earlier. */
export function periodsBetween(first: string, last: string): readonly string[] {
  const count = Math.max(monthsBetween(first, last) + 1, 0);
  return Array.from({ length: count }, (_, offset) => plusMonths(first, offset));
}

/** True when the month of a date or period lies in the years that books can hold. */
function isWithinBooks(text: string): boolean {
  const year = Number(text.slice(0, 4));
  return year >= minYear && year <= maxYear;
}

/** Returns the problem of a posting date; undefined for a day that exists, in the years that books can hold. */
export function problemOfPostingDate(value: unknown): string | undefined {
  if (typeof value !== 'string' || !isCalendarDate(value)) return 'a calendar date YYYY-MM-DD is required.';
  return isWithinBooks(value) ? undefined : `the year must lie between ${minYear} and ${maxYear}.`;
}

/** Limit of months from the current one to a posting date: the calendar has every month between (ledger L-17). */
export const maxMonthsFromToday = 600;

/**
 * The oldest of these days that lies too far in the past; undefined when none does. Older books may still accept it.
 */
export function oldestBeyondReach(dates: readonly string[], currentPeriod: string): string | undefined {
  const oldest = dates.toSorted()[0];
  return oldest !== undefined && periodOf(oldest) < plusMonths(currentPeriod, -maxMonthsFromToday) ? oldest : undefined;
}

/** The newest of these days that lies too far ahead; undefined when none does. */
export function newestBeyondReach(dates: readonly string[], currentPeriod: string): string | undefined {
  const newest = dates.toSorted().at(-1);
  return newest !== undefined && periodOf(newest) > plusMonths(currentPeriod, maxMonthsFromToday) ? newest : undefined;
}

/** The default months of history of a new calendar (ledger L-14). */
const monthsBeforeNow = 23;

export interface CalendarRequest {
  readonly closedThrough: string | null;
  readonly fiscalYearStartMonth: number;
  readonly earliestDataPeriod: string | null;
}

/** Returns the problem of the start of a calendar (ledger L-13), or undefined. */
export function problemOfCalendar(request: CalendarRequest, currentPeriod: string): string | undefined {
  const lastCompleted = plusMonths(currentPeriod, -1);
  for (const [field, period] of [
    ['closed_through', request.closedThrough],
    ['earliest_data_period', request.earliestDataPeriod],
  ] as const) {
    if (period !== null && !isWithinBooks(period))
      return `${field}: the year must lie between ${minYear} and ${maxYear}.`;
  }
  if (request.closedThrough !== null && request.closedThrough > lastCompleted) {
    return `closed_through: ${request.closedThrough} is later than the last completed month, ${lastCompleted}.`;
  }
  if (request.earliestDataPeriod !== null && request.earliestDataPeriod > currentPeriod) {
    return `earliest_data_period: ${request.earliestDataPeriod} is later than the current month, ${currentPeriod}.`;
  }
  const oldest = plusMonths(currentPeriod, -maxMonthsFromToday);
  // Every month from the older of the two gets a row (ledger L-14).
  for (const [field, period] of [
    ['closed_through', request.closedThrough],
    ['earliest_data_period', request.earliestDataPeriod],
  ] as const) {
    if (period !== null && period < oldest)
      return `${field}: ${period} is more than ${maxMonthsFromToday} months before the current month. Begin with ${oldest} or later, and record older history as an opening balance.`;
  }
  return undefined;
}

/** Returns the problem of a close target (ledger L-149), or undefined. */
export function problemOfTarget(
  target: string,
  calendar: { readonly closedThrough: string | null; readonly currentPeriod: string },
): string | undefined {
  const lastCompleted = plusMonths(calendar.currentPeriod, -1);
  if (!isWithinBooks(target)) return `period: the year must lie between ${minYear} and ${maxYear}.`;
  if (target > lastCompleted) return `period: ${target} is later than the last completed month, ${lastCompleted}.`;
  return calendar.closedThrough !== null && target < calendar.closedThrough
    ? `period: ${target} is earlier than the last closed month, ${calendar.closedThrough}.`
    : undefined;
}

/** The period rows of a new calendar (ledger L-14). */
export function firstPeriods(
  request: CalendarRequest,
  currentPeriod: string,
): readonly { readonly name: string; readonly status: 'open' | 'closed' }[] {
  const wanted = request.earliestDataPeriod ?? plusMonths(currentPeriod, -monthsBeforeNow);
  const { closedThrough } = request;
  const first = closedThrough !== null && closedThrough < wanted ? closedThrough : wanted;
  return periodsBetween(first, currentPeriod).map((name) => ({
    name,
    status: closedThrough !== null && name <= closedThrough ? 'closed' : 'open',
  }));
}

/** The months that lie between what is closed and the target (ledger L-147). */
export function catchUpSequence(calendar: {
  readonly closedThrough: string | null;
  readonly closeTarget: string | null;
  readonly earliestOpen: string | undefined;
}): readonly string[] {
  const { closedThrough, closeTarget, earliestOpen } = calendar;
  const first = closedThrough === null ? earliestOpen : plusMonths(closedThrough, 1);
  return closeTarget === null || first === undefined ? [] : periodsBetween(first, closeTarget);
}

/** Limit of months that a message names; the others are counted. */
const maxMonthsNamed = 12;

/** Months as a message lists them. */
export function monthsNamed(periods: readonly string[]): string {
  const named = periods.slice(0, maxMonthsNamed).join(', ');
  const rest = periods.length - maxMonthsNamed;
  return rest > 0 ? `${named} and ${rest} more` : named;
}
