import { boundsOf, daysBetween, monthsBetween, plusDays, plusMonths } from '@pacioli/core/calendar';

/** A column of a statement: the days that it covers, both ends included. */
export interface Window {
  readonly start: string;
  readonly end: string;
}

export interface WindowRequest {
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly periodType: string | undefined;
  readonly fiscalYear: number | undefined;
}

/** The requested window: the given dates, or a fiscal year, a quarter, or the current month (reporting V-2). */
export function windowOf(request: WindowRequest, today: string, fiscalYearStartMonth: number): Window {
  const month = monthOf(today);
  if (request.start !== undefined || request.end !== undefined) {
    const end = request.end ?? boundsOf(month).end;
    return { start: request.start ?? `${monthOf(end)}-01`, end };
  }
  if (request.periodType === 'quarterly') return windowOfMonths(plusMonths(month, -((monthNumber(month) - 1) % 3)), 3);
  // A fiscal year without a period type means the whole year.
  if (request.periodType === 'annual' || (request.periodType === undefined && request.fiscalYear !== undefined)) {
    return fiscalYearOf(request.fiscalYear ?? currentFiscalYear(month, fiscalYearStartMonth), fiscalYearStartMonth);
  }
  return boundsOf(month);
}

/** A fiscal year is named after the calendar year in which it ends. */
function fiscalYearOf(year: number, startMonth: number): Window {
  return windowOfMonths(plusMonths(`${year}-01`, startMonth === 1 ? 0 : startMonth - 13), 12);
}

function currentFiscalYear(month: string, startMonth: number): number {
  const year = Number(month.slice(0, 4));
  return startMonth > 1 && monthNumber(month) >= startMonth ? year + 1 : year;
}

/**
 * The preceding window: as many whole months if this one consists of whole months, otherwise as many days (reporting
 * S-33).
 */
export function priorOf({ start, end }: Window): Window {
  const [first, last] = [monthOf(start), monthOf(end)];
  const isWholeMonths = start === `${first}-01` && end === boundsOf(last).end;
  const count = monthsBetween(first, last) + 1;
  if (isWholeMonths) return windowOfMonths(plusMonths(first, -count), count);
  return { start: plusDays(start, -1 - daysBetween(start, end)), end: plusDays(start, -1) };
}

function windowOfMonths(first: string, count: number): Window {
  return { start: `${first}-01`, end: boundsOf(plusMonths(first, count - 1)).end };
}

function monthOf(date: string): string {
  return date.slice(0, 7);
}

function monthNumber(month: string): number {
  return Number(month.slice(5));
}
