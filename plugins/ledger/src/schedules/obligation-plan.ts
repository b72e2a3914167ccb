import { boundsOf, isCalendarDate, periodOf, plusMonths } from '../values/index.ts';
import type { ScheduleDefinition, SchedulePlan } from './schedule-plan.ts';

/** A new event of the register of obligations, which waits for its month. */
export interface NewObligation {
  readonly period: string;
  /** First and last day of the month. */
  readonly start: string;
  readonly end: string;
  readonly status: 'pending' | 'fulfilled' | 'voided';
  /** The reason why it was never due; null when it is due. */
  readonly voidReason: string | null;
  /** Minor units. */
  readonly amount: bigint;
  /** The obligation that it replaces, if any. */
  readonly replaces: string | null;
}

/** The fields that all obligations of a schedule share. */
export interface ObligationFrame {
  readonly scheduleId: string;
  readonly scheduleName: string;
  readonly anchorId: string;
  readonly currency: string;
  readonly userId: string;
  readonly now: Date;
}

/** Returns the problem of a caller's last day of history, or undefined. */
export function problemOfWatermark(closedThrough: string | undefined): string | undefined {
  return closedThrough === undefined || isCalendarDate(closedThrough)
    ? undefined
    : 'closed_through: a calendar date YYYY-MM-DD is required.';
}

/** The last month that ends on or before the day: a day within a month leaves that month in scope (ledger L-180). */
export function lastMonthOf(day: string): string {
  const month = periodOf(day);
  return boundsOf(month).end === day ? month : plusMonths(month, -1);
}

/**
 * Returns the problem of a last day of history, or undefined (ledger L-180). Months that are not closed still need
 * their entries, and as history they would never get any. Months before the books begin can be history; without a
 * calendar, any month that is over.
 */
export function problemOfHistory(
  given: string,
  books: { readonly hasCalendar: boolean; readonly closed: string | null; readonly first: string | undefined },
  currentPeriod: string,
): string | undefined {
  const month = lastMonthOf(given);
  if (!books.hasCalendar)
    return month < currentPeriod
      ? undefined
      : `closed_through: ${given} is not over yet. Send the last day of a completed month, or omit it.`;
  if (month <= (books.closed ?? plusMonths(books.first ?? currentPeriod, -1))) return undefined;
  const calendarState =
    books.closed === null ? `begins with ${books.first} and has no closed month` : `is closed through ${books.closed}`;
  return `closed_through: ${given} is later than the fiscal calendar allows, which ${calendarState}. Omit it to use the calendar's, and close the months between if they are history.`;
}

/** Returns the problem of a new end date, or undefined; months are in order. */
export function problemOfEnd(periods: readonly string[], newEndDate: string): string | undefined {
  const [first] = periods;
  const last = periods.at(-1);
  if (first === undefined || last === undefined) return 'The schedule has no months left.';
  if (newEndDate < boundsOf(first).start)
    return `new_end_date: ${newEndDate} is earlier than the schedule, which begins on ${boundsOf(first).start}. Delete it instead.`;
  return newEndDate > boundsOf(last).end
    ? `new_end_date: the schedule already ends earlier, on ${boundsOf(last).end}.`
    : undefined;
}

/** The plan without the months after a day. */
export function cutOff(plan: SchedulePlan, lastDay: string): SchedulePlan {
  const months = plan.months.filter((month) => boundsOf(month.period).end <= lastDay);
  return { months, base: plan.base === null ? null : (months.at(-1)?.accumulated ?? 0n) };
}

/**
 * One obligation for each month: fulfilled when its entry is posted, void when the month is history or moves nothing.
 */
export function obligationsOf(plan: SchedulePlan, posted: ReadonlySet<string>): readonly NewObligation[] {
  return plan.months.map((month) => {
    if (posted.has(month.period)) return obligation(month.period, month.amount, 'fulfilled', null);
    if (month.scope === 'historical') return obligation(month.period, month.amount, 'voided', 'historical');
    if (month.amount === 0n) return obligation(month.period, month.amount, 'voided', 'no_amount');
    return obligation(month.period, month.amount, 'pending', null);
  });
}

/** The obligation of a month, amount in minor units; the reason says why it was never due. */
export function obligation(
  period: string,
  amount: bigint,
  status: NewObligation['status'],
  voidReason: string | null,
): NewObligation {
  return { period, ...boundsOf(period), amount, status, voidReason, replaces: null };
}

/** Counts the obligations that wait for their month. */
export function pendingIn(obligations: readonly NewObligation[]): number {
  return obligations.filter(({ status }) => status === 'pending').length;
}

/** The metadata of the anchor, the event from which all obligations of a schedule come (ledger L-182). */
export function anchorMetadata(
  frame: ObligationFrame,
  definition: ScheduleDefinition,
  obligations: readonly NewObligation[],
): Readonly<Record<string, unknown>> {
  return {
    schedule_id: frame.scheduleId,
    period_start: definition.period_start,
    period_end: definition.period_end,
    total_event_count: obligations.length,
    pending_event_count: pendingIn(obligations),
  };
}
