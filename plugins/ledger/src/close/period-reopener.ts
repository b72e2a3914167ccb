import { invalidInput, type Transaction } from '@pacioli/core';
import type { BookAnnouncements } from '../announcements/index.ts';
import { withLockName } from '../journal/index.ts';
import { plusMonths } from '../values/index.ts';
import { monthOf } from './book-months.ts';
import { monthsToReopenFirst } from './close.ts';
import type { CloseStep } from './close-extensions.ts';
import type { MonthLock } from './month-lock.ts';
import type { PeriodLocks } from './period-rows.ts';
import type { CalendarActor, StoredCalendar } from './stored-calendar.ts';

export interface PeriodReopenerParts {
  readonly announcements: BookAnnouncements;
  readonly monthLock: MonthLock;
  readonly calendar: StoredCalendar;
  readonly locks: PeriodLocks;
  readonly steps: readonly CloseStep[];
}

export interface ReopenRequest {
  readonly graphId: string;
  readonly period: string;
  readonly reason: string;
  readonly note: string | null;
}

/** Reopens the latest closed month (ledger 7.5). Its entries stay posted. */
export class PeriodReopener {
  readonly #parts: PeriodReopenerParts;

  constructor(parts: PeriodReopenerParts) {
    this.#parts = parts;
  }

  async reopen(tx: Transaction, request: ReopenRequest, by: CalendarActor): Promise<void> {
    await withLockName(`Fiscal period '${request.period}'`, () => this.#reopen(tx, request, by));
  }

  async #reopen(tx: Transaction, { graphId, period, reason, note }: ReopenRequest, by: CalendarActor): Promise<void> {
    const { announcements, monthLock, calendar, locks, steps } = this.#parts;
    const { read, row } = await monthLock.lock(tx, period, by);
    if (row.status !== 'closed') throw invalidInput(`Period '${period}' is not closed (status='${row.status}').`);
    // Every later closed month depends on the balances of this one (ledger L-168).
    const closed = read.periods.filter(({ status }) => status === 'closed').map(({ name }) => name);
    const first = monthsToReopenFirst(period, closed);
    if (first.length > 0) {
      throw invalidInput(`Period '${period}' is not the latest closed month: reopen ${first.join(', ')} first.`, {
        reopen_first: first,
      });
    }
    const from = read.calendar.closed_through;
    const to = await locks.reopen(tx, period, plusMonths(period, -1), by);
    await calendar.write(tx, { type: 'period_reopened', period, from, to, reason, note }, by);
    await announcements.reopened(tx, period, { userId: by.userId, reason });
    // Steps are undone in reverse order.
    for (const step of steps.toReversed()) {
      await step.reopen?.({ tx, graphId, month: monthOf(period), userId: by.userId, now: by.now });
    }
  }
}
