import { notFound, type Transaction } from '@pacioli/core';
import { lockMonthExclusive } from '../journal/index.ts';
import { requireCalendar } from '../models/calendar-actor.ts';
import type { CalendarReader, ReadCalendar } from './calendar-reader.ts';
import type { PeriodLocks } from './period-rows.ts';
import type { CalendarActor, PeriodRow, StoredCalendar } from './stored-calendar.ts';

export interface MonthHoldParts {
  readonly reader: CalendarReader;
  readonly calendar: StoredCalendar;
  readonly locks: PeriodLocks;
}

/** A month under its exclusive lock until the transaction ends. */
export interface LockedMonth {
  readonly read: ReadCalendar;
  readonly row: PeriodRow;
  /** The month's status before the wait for the period lock. */
  readonly statusBefore: PeriodRow['status'];
}

/** Takes the exclusive lock of a month, then locks and rereads the rows of calendar and month (ledger L-150). */
export class MonthLock {
  readonly #parts: MonthHoldParts;

  constructor(parts: MonthHoldParts) {
    this.#parts = parts;
  }

  /** Rejects books without a calendar and months that the calendar does not have (ledger L-155, L-156). */
  async lock(tx: Transaction, period: string, by: CalendarActor): Promise<LockedMonth> {
    const { reader, calendar, locks } = this.#parts;
    const today = by.now.toISOString().slice(0, 10);
    const before = requireCalendar(await reader.read(tx, today));
    const found = before.periods.find(({ name }) => name === period);
    if (found === undefined) throw notFound(`Fiscal period '${period}' not found.`);
    await lockMonthExclusive(tx, period);
    await calendar.findForUpdate(tx);
    await locks.topUp(
      tx,
      before.periods.map(({ name }) => name),
      by,
    );
    const row = await locks.forUpdate(tx, period);
    if (row === undefined) throw new Error(`The row of fiscal period ${period} was made and is not there.`);
    return { read: requireCalendar(await reader.read(tx, today)), row, statusBefore: found.status };
  }
}
