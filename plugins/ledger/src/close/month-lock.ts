import { notFound, type Transaction } from '@pacioli/core';
import { closedMonths, type LockedMonths, lockMonthExclusive } from '../journal/index.ts';
import type { CalendarReader, ReadCalendar } from './calendar-reader.ts';
import type { PeriodLocks } from './period-rows.ts';
import { type CalendarActor, type PeriodRow, requireCalendar } from './stored-calendar.ts';

export interface MonthLockParts {
  readonly reader: CalendarReader;
  readonly locks: PeriodLocks;
}

/** A month under its exclusive lock until the transaction ends. */
export interface LockedMonth {
  readonly months: LockedMonths;
  readonly read: ReadCalendar;
  readonly row: PeriodRow;
  /** True when the month was closed before the wait for its lock. */
  readonly wasClosed: boolean;
}

/**
 * Takes the exclusive lock of a month, then locks the rows of calendar and month and reads the calendar once, for
 * everything that follows (ledger L-150).
 */
export class MonthLock {
  readonly #parts: MonthLockParts;

  constructor(parts: MonthLockParts) {
    this.#parts = parts;
  }

  /** Rejects books without a calendar and months that the calendar does not have (ledger L-155, L-156). */
  async lock(tx: Transaction, period: string, by: CalendarActor): Promise<LockedMonth> {
    const { reader, locks } = this.#parts;
    const wasClosed = (await closedMonths(tx, [`${period}-01`])).length > 0;
    const months = await lockMonthExclusive(tx, period);
    const read = requireCalendar(await reader.readForUpdate(tx, by.now.toISOString().slice(0, 10)));
    const names = read.periods.map(({ name }) => name);
    if (!names.includes(period)) throw notFound(`Fiscal period '${period}' not found.`);
    await locks.topUp(tx, names, by);
    const row = await locks.forUpdate(tx, period);
    if (row === undefined) throw new Error(`Fiscal period ${period} was created but cannot be read.`);
    return { months, read, row, wasClosed };
  }
}
