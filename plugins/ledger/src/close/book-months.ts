import { invalidInput, type Transaction } from '@pacioli/core';
import { closedMonths } from '../journal/index.ts';
import { boundsOf, isCalendarDate, periodOf } from '../values/index.ts';
import type { BookMonth, Calendar, CalendarState } from './calendar.ts';
import { calendarMonths } from './close.ts';
import type { FiscalMonth } from './close-facts.ts';
import type { CalendarRow, PeriodRow, StoredCalendar } from './stored-calendar.ts';

/** A month with its first and last day. */
export function monthOf(period: string): FiscalMonth {
  return { period, ...boundsOf(period) };
}

/** The months of a calendar, including those that have no row yet (ledger L-17). */
export async function monthsOf(
  tx: Transaction,
  stored: StoredCalendar,
  calendar: CalendarRow,
  today: string,
): Promise<readonly PeriodRow[]> {
  const rows = await stored.periods(tx);
  const known = new Map(rows.map((row) => [row.name, row]));
  return calendarMonths(rows, periodOf(today)).map(
    (name) =>
      known.get(name) ?? { name, status: statusWithoutRow(name, calendar), closed_at: null, has_close_receipt: false },
  );
}

export function statusWithoutRow(period: string, calendar: CalendarRow): 'open' | 'closed' {
  return calendar.closed_through !== null && period <= calendar.closed_through ? 'closed' : 'open';
}

/** The calendar as other plugins read it. */
export class BookMonths implements Calendar {
  readonly #stored: StoredCalendar;

  constructor(stored: StoredCalendar) {
    this.#stored = stored;
  }

  async state(tx: Transaction, now: Date): Promise<CalendarState | undefined> {
    const calendar = await this.#stored.find(tx);
    if (calendar === undefined) return undefined;
    const months = await monthsOf(tx, this.#stored, calendar, now.toISOString().slice(0, 10));
    return {
      fiscalYearStartMonth: calendar.fiscal_year_start_month,
      closedThrough: calendar.closed_through,
      closeTarget: calendar.close_target,
      months: months.map(({ name, status }) => ({ ...monthOf(name), isClosed: status === 'closed' })),
    };
  }

  async monthOf(tx: Transaction, date: string): Promise<BookMonth> {
    if (!isCalendarDate(date)) throw invalidInput(`date: '${date}' is not a calendar date (YYYY-MM-DD).`);
    const closed = await closedMonths(tx, [date]);
    return { ...monthOf(periodOf(date)), isClosed: closed.length > 0 };
  }
}
