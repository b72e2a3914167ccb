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
  if (request.start !== undefined || request.end !== undefined) {
    const end = request.end ?? endOfMonth(today);
    return { start: request.start ?? `${end.slice(0, 7)}-01`, end };
  }
  if (request.periodType === 'quarterly') {
    const first = Math.floor((monthOf(today) - 1) / 3) * 3 + 1;
    const start = day(yearOf(today), first, 1);
    return { start, end: endOfMonth(addMonths(start, 2)) };
  }
  // A fiscal year without a period type means the whole year.
  if (request.periodType === 'annual' || (request.periodType === undefined && request.fiscalYear !== undefined)) {
    return fiscalYearOf(request.fiscalYear ?? currentFiscalYear(today, fiscalYearStartMonth), fiscalYearStartMonth);
  }
  return { start: `${today.slice(0, 7)}-01`, end: endOfMonth(today) };
}

/** A fiscal year is named after the calendar year in which it ends. */
function fiscalYearOf(year: number, startMonth: number): Window {
  const start = startMonth === 1 ? day(year, 1, 1) : day(year - 1, startMonth, 1);
  return { start, end: endOfMonth(addMonths(start, 11)) };
}

function currentFiscalYear(today: string, startMonth: number): number {
  return startMonth > 1 && monthOf(today) >= startMonth ? yearOf(today) + 1 : yearOf(today);
}

/**
 * The preceding window: as many whole months if this one consists of whole months, otherwise as many days (reporting
 * S-33).
 */
export function priorOf(window: Window): Window {
  const isWholeMonths = window.start.endsWith('-01') && window.end === endOfMonth(window.end);
  const end = addDays(window.start, -1);
  if (!isWholeMonths) return { start: addDays(end, -daysBetween(window.start, window.end)), end };
  const months = (yearOf(window.end) - yearOf(window.start)) * 12 + monthOf(window.end) - monthOf(window.start) + 1;
  return { start: addMonths(window.start, -months), end };
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4));
}

function monthOf(date: string): number {
  return Number(date.slice(5, 7));
}

function day(year: number, month: number, dayOfMonth: number): string {
  return new Date(Date.UTC(year, month - 1, dayOfMonth)).toISOString().slice(0, 10);
}

function endOfMonth(date: string): string {
  return day(yearOf(date), monthOf(date) + 1, 0);
}

function addMonths(date: string, months: number): string {
  return day(yearOf(date), monthOf(date) + months, Number(date.slice(8, 10)));
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function daysBetween(start: string, end: string): number {
  return Math.round((Date.parse(`${end}T00:00:00Z`) - Date.parse(`${start}T00:00:00Z`)) / 86_400_000);
}
