import type { Transaction } from '@pacioli/core';
import { catchUpSequence } from '../values/index.ts';
import { monthOf, monthsOf, statusWithoutRow } from './book-months.ts';
import { liveConnections } from './calendar-gates.ts';
import { type CalendarView, calendarView } from './calendar-view.ts';
import type { AccountingConnectionSource, CloseGateArgs } from './close-extensions.ts';
import type { MonthGates } from './month-gates.ts';
import type { CalendarRow, PeriodRow, StoredCalendar } from './stored-calendar.ts';

export interface CalendarReaderParts {
  readonly calendar: StoredCalendar;
  readonly gates: MonthGates;
  readonly connections: readonly AccountingConnectionSource[];
}

/** The calendar with its months, including those that have no row yet (ledger L-17). */
export interface ReadCalendar {
  readonly calendar: CalendarRow;
  readonly periods: readonly PeriodRow[];
}

/** Reads the calendar and the state derived from it. */
export class CalendarReader {
  readonly #parts: CalendarReaderParts;

  constructor(parts: CalendarReaderParts) {
    this.#parts = parts;
  }

  /** Undefined before initialize. */
  async read(tx: Transaction, today: string): Promise<ReadCalendar | undefined> {
    return this.#withMonths(tx, await this.#parts.calendar.find(tx), today);
  }

  /** Like `read`, with the calendar locked until the transaction ends. */
  async readForUpdate(tx: Transaction, today: string): Promise<ReadCalendar | undefined> {
    return this.#withMonths(tx, await this.#parts.calendar.findForUpdate(tx), today);
  }

  async #withMonths(
    tx: Transaction,
    calendar: CalendarRow | undefined,
    today: string,
  ): Promise<ReadCalendar | undefined> {
    if (calendar === undefined) return undefined;
    return { calendar, periods: await monthsOf(tx, this.#parts.calendar, calendar, today) };
  }

  /** The calendar in its wire form; the gates are evaluated for the first month to be closed (ledger L-148). */
  async view(tx: Transaction, graphId: string, today: string): Promise<CalendarView | undefined> {
    const read = await this.read(tx, today);
    if (read === undefined) return undefined;
    const { calendar, periods } = read;
    const sequence = catchUpSequence({
      closedThrough: calendar.closed_through,
      closeTarget: calendar.close_target,
      earliestOpen: earliestOpen(periods),
    });
    const next = sequence[0];
    const outcome = next === undefined ? undefined : await this.#parts.gates.evaluate(gateArgs(tx, next, read, today));
    const synced = (await liveConnections(tx, this.#parts.connections)).flatMap(({ lastSyncAt }) => lastSyncAt ?? []);
    const lastSyncAt = synced.toSorted((left, right) => right.getTime() - left.getTime())[0] ?? null;
    return calendarView({ graphId, calendar, periods, sequence, outcome, lastSyncAt });
  }
}

/** The input of the gates for one month. */
export function gateArgs(tx: Transaction, period: string, read: ReadCalendar, today: string): CloseGateArgs {
  const { calendar, periods } = read;
  return {
    tx,
    month: monthOf(period),
    status: periods.find(({ name }) => name === period)?.status ?? statusWithoutRow(period, calendar),
    closedThrough: calendar.closed_through,
    earliestOpen: earliestOpen(periods),
    today,
  };
}

function earliestOpen(periods: readonly PeriodRow[]): string | undefined {
  return periods.find(({ status }) => status !== 'closed')?.name;
}
