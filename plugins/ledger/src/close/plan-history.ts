import type { FactStore } from '@pacioli/blocks';
import { invalidInput, isServiceError, sql, type Transaction } from '@pacioli/core';
import type { BookAnnouncements } from '../announcements/index.ts';
import { lockMonthExclusive } from '../journal/index.ts';
import type { LedgerLineItem } from '../rows.gen.ts';
import { periodOf, periodsBetween } from '../values/index.ts';
import { monthOf } from './book-months.ts';
import type { CloseOutcome } from './close.ts';
import type { CloseStep } from './close-extensions.ts';
import type { CloseOverride } from './close-facts.ts';
import { hasDrafts } from './draft-reads.ts';
import type { MonthLock } from './month-lock.ts';
import type { PeriodCloser } from './period-closer.ts';
import type { PeriodLocks } from './period-rows.ts';
import type { CalendarActor, StoredCalendar } from './stored-calendar.ts';

export interface PlanHistoryParts {
  readonly announcements: BookAnnouncements;
  readonly calendar: StoredCalendar;
  readonly closer: PeriodCloser;
  readonly facts: FactStore;
  readonly locks: PeriodLocks;
  readonly monthLock: MonthLock;
  readonly steps: readonly CloseStep[];
}

export interface BackfillRequest {
  readonly graphId: string;
  /** `YYYY-MM`; null for the first month with posted lines. */
  readonly startPeriod: string | null;
  readonly maxPeriods: number;
  /** Also closes months again that have statements. */
  readonly restamp: boolean;
  readonly overrides: ReadonlySet<CloseOverride>;
  readonly note: string | null;
}

/** The result of one month (reporting Q-24). */
export interface BackfilledMonth {
  readonly period: string;
  readonly status: 'stamped' | 'skipped_drafts' | 'failed';
  readonly outcome: CloseOutcome | undefined;
  /** Why the month failed. */
  readonly detail: string | null;
}

export interface Backfill {
  readonly earliestPeriod: string;
  readonly startPeriod: string;
  readonly closedThrough: string;
  readonly rowsCreated: number;
  readonly processed: readonly BackfilledMonth[];
  /** Months that this call did not reach. */
  readonly remaining: readonly string[];
}

const maxPeriodsPerCall = 24;

const savepoint = sql`SAVEPOINT month_of_history`;
const release = sql`RELEASE SAVEPOINT month_of_history`;
const rollback = sql`ROLLBACK TO SAVEPOINT month_of_history`;

/** Writes the statements of months that were closed without them, by closing each again (reporting 10.4). */
export class PlanHistory {
  readonly #parts: PlanHistoryParts;

  constructor(parts: PlanHistoryParts) {
    this.#parts = parts;
  }

  async backfill(tx: Transaction, request: BackfillRequest, by: CalendarActor): Promise<Backfill> {
    const window = await this.#window(tx, request);
    const months = periodsBetween(window.startPeriod, window.closedThrough);
    const stamped = request.restamp ? new Set<string>() : await this.#stamped(tx);
    const wanted = months.filter((period) => !stamped.has(period));
    const chosen = wanted.slice(0, request.maxPeriods);
    // All period locks come before the first row lock (ledger L-150).
    for (const period of chosen) await lockMonthExclusive(tx, period);
    await this.#parts.calendar.findForUpdate(tx);
    const rowsCreated = await this.#parts.locks.topUp(tx, months, by);
    const processed: BackfilledMonth[] = [];
    for (const period of chosen) {
      const month = await this.#again(tx, period, request, by);
      processed.push(month);
      if (month.status === 'failed') break;
    }
    return { ...window, rowsCreated, processed, remaining: wanted.slice(processed.length) };
  }

  /** The months from the first with posted lines, or a later start, through the last closed one (reporting Q-23). */
  async #window(
    tx: Transaction,
    { startPeriod, maxPeriods }: BackfillRequest,
  ): Promise<Pick<Backfill, 'earliestPeriod' | 'startPeriod' | 'closedThrough'>> {
    if (maxPeriods < 1 || maxPeriods > maxPeriodsPerCall) {
      throw invalidInput(`max_periods: give 1 to ${maxPeriodsPerCall}, not ${maxPeriods}.`);
    }
    const calendar = await this.#parts.calendar.find(tx);
    if (calendar === undefined) throw invalidInput('Fiscal calendar not initialized. Call initialize first.');
    const { closed_through: closedThrough } = calendar;
    if (closedThrough === null) throw invalidInput('No month is closed. Close a month first.');
    const earliestPeriod = await firstPostedMonth(tx);
    if (earliestPeriod === undefined) throw invalidInput('The books have no posted entries.');
    const first = startPeriod === null || startPeriod < earliestPeriod ? earliestPeriod : startPeriod;
    if (first > closedThrough) {
      throw invalidInput(`The history starts in ${first}, after the last closed month ${closedThrough}.`);
    }
    return { earliestPeriod, startPeriod: first, closedThrough };
  }

  /** Months with canonical statements (reporting F-13). */
  async #stamped(tx: Transaction): Promise<ReadonlySet<string>> {
    const sets = await this.#parts.facts.sets(tx, { scenario: 'actuals', factsetTypes: ['report'], reportId: null });
    return new Set(
      sets.flatMap(({ periodStart, periodEnd }) => {
        const month = monthOf(periodOf(periodEnd));
        return periodStart === month.start && periodEnd === month.end ? month.period : [];
      }),
    );
  }

  /** Reopens and closes one month; a refused close leaves it closed as it was. */
  async #again(tx: Transaction, period: string, request: BackfillRequest, by: CalendarActor): Promise<BackfilledMonth> {
    if (await hasDrafts(tx, monthOf(period))) {
      return { period, status: 'skipped_drafts', outcome: undefined, detail: null };
    }
    await tx.query(savepoint);
    try {
      await this.#reopen(tx, period, request, by);
      const outcome = await this.#parts.closer.close(tx, { ...request, period }, by);
      await tx.query(release);
      return { period, status: 'stamped', outcome, detail: null };
    } catch (error) {
      await tx.query(rollback);
      await tx.query(release);
      if (!isServiceError(error) || error.kind === 'internal' || error.kind === 'conflict') throw error;
      return { period, status: 'failed', outcome: undefined, detail: error.message };
    }
  }

  /** Like reopening through the wire, but in any order and without moving the pointer of the calendar (ledger L-168). */
  async #reopen(tx: Transaction, period: string, { graphId, note }: BackfillRequest, by: CalendarActor): Promise<void> {
    const { announcements, calendar, locks, monthLock, steps } = this.#parts;
    const { read, row } = await monthLock.lock(tx, period, by);
    if (row.status !== 'closed') throw invalidInput(`Period '${period}' is not closed (status='${row.status}').`);
    const { closed_through: pointer } = read.calendar;
    await locks.reopenInPlace(tx, period, by);
    const reason = 'Backfill of the statements of closed months';
    await calendar.write(tx, { type: 'period_reopened', period, from: pointer, to: pointer, reason, note }, by);
    await announcements.reopened(tx, period, { userId: by.userId, reason });
    for (const step of steps.toReversed()) {
      await step.reopen?.({ tx, graphId, month: monthOf(period), userId: by.userId, now: by.now });
    }
  }
}

async function firstPostedMonth(tx: Transaction): Promise<string | undefined> {
  const [row] = await tx.query(sql<Pick<LedgerLineItem, 'posting_date'>>`
    SELECT posting_date FROM ledger_line_item WHERE graph_id = ${tx.graphId} AND is_landed ORDER BY posting_date LIMIT 1`);
  return row === undefined ? undefined : periodOf(row.posting_date);
}
