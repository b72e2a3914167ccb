import { boundsOf, isCalendarDate, periodOf, plusMonths } from '../values/index.ts';
import type { ScheduleDefinition, SchedulePlan } from './schedule-plan.ts';

/** An event that waits for its month, as the register keeps it. */
export interface NewObligation {
  readonly period: string;
  /** First and last day of the month. */
  readonly start: string;
  readonly end: string;
  readonly status: 'pending' | 'fulfilled' | 'voided';
  /** Why it was never due; null for the others. */
  readonly voidReason: string | null;
  /** Minor units. */
  readonly amount: bigint;
  /** The obligation that it stands in for; null for a first one. */
  readonly replaces: string | null;
}

/** What all obligations of a schedule share. */
export interface ObligationFrame {
  readonly scheduleId: string;
  readonly scheduleName: string;
  readonly anchorId: string;
  readonly currency: string;
  readonly userId: string;
  readonly now: Date;
}

/** What is wrong with the last day of history that a caller gives; undefined when nothing is. */
export function problemOfWatermark(closedThrough: string | undefined): string | undefined {
  return closedThrough === undefined || isCalendarDate(closedThrough)
    ? undefined
    : 'closed_through: a calendar date YYYY-MM-DD is needed.';
}

/** The last month that is over at the end of a day: a day within a month leaves that month in scope (ledger L-180). */
export function lastMonthOf(day: string): string {
  const month = periodOf(day);
  return boundsOf(month).end === day ? month : plusMonths(month, -1);
}

/**
 * What is wrong with a last day of history (ledger L-180): months that are not closed still need their entries, and as
 * history they would never get any. Months before the books begin can be history; without a calendar, any that is over.
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
      : `closed_through: ${given} is not over yet. Send the last day of a month that is, or leave it out.`;
  if (month <= (books.closed ?? plusMonths(books.first ?? currentPeriod, -1))) return undefined;
  const said =
    books.closed === null ? `begins with ${books.first} and has no closed month` : `is closed through ${books.closed}`;
  return `closed_through: ${given} is later than the fiscal calendar allows, which ${said}. Leave it out to take the calendar's, and close the months between if they are history.`;
}

/** What is wrong with a new end; months are in order. */
export function problemOfEnd(periods: readonly string[], newEndDate: string): string | undefined {
  const [first] = periods;
  const last = periods.at(-1);
  if (first === undefined || last === undefined) return 'The schedule has no months left.';
  if (newEndDate < boundsOf(first).start)
    return `new_end_date: ${newEndDate} is earlier than the schedule, which begins on ${boundsOf(first).start}. Delete it instead.`;
  return newEndDate > boundsOf(last).end
    ? `new_end_date: the schedule ends earlier already, on ${boundsOf(last).end}.`
    : undefined;
}

/** The plan without the months after a day. */
export function cutOff(plan: SchedulePlan, lastDay: string): SchedulePlan {
  const months = plan.months.filter((month) => boundsOf(month.period).end <= lastDay);
  return { months, base: plan.base === null ? null : (months.at(-1)?.accumulated ?? 0n) };
}

/** One obligation for each month; what is landed is fulfilled, what is history or moves nothing was never due. */
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

/** How many of them wait for their month. */
export function pendingIn(obligations: readonly NewObligation[]): number {
  return obligations.filter(({ status }) => status === 'pending').length;
}

/** What the event says that all obligations of a schedule come from (ledger L-182). */
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
