import { boundsOf } from '../values/index.ts';
import type { GateOutcome } from './close.ts';
import type { CalendarRow, PeriodRow } from './stored-calendar.ts';

/** The inputs of a view of the calendar. */
export interface CalendarFacts {
  readonly graphId: string;
  readonly calendar: CalendarRow;
  /** Months without a row included. */
  readonly periods: readonly PeriodRow[];
  /** The months up to the target (ledger L-147). */
  readonly sequence: readonly string[];
  /** The outcome of the gates for the first of them; undefined when there is none (ledger L-148). */
  readonly outcome: GateOutcome | undefined;
  readonly lastSyncAt: Date | null;
}

export type CalendarView = ReturnType<typeof calendarView>;

/** The calendar with the state derived from it. */
export function calendarView({ graphId, calendar, periods, sequence, outcome, lastSyncAt }: CalendarFacts) {
  const details = outcome?.details ?? {};
  return {
    graph_id: graphId,
    fiscal_year_start_month: calendar.fiscal_year_start_month,
    closed_through: calendar.closed_through,
    close_target: calendar.close_target,
    gap_periods: sequence.length,
    catch_up_sequence: [...sequence],
    closeable_now: outcome !== undefined && outcome.blockers.length === 0,
    blockers: [...(outcome?.blockers ?? [])],
    pending_obligation_count: details.pending_obligation_count ?? 0,
    pending_obligation_sample: [...(details.pending_obligation_sample ?? [])],
    earliest_pending_period: details.earliest_pending_period ?? null,
    sync_stale_days: details.sync_stale_days ?? null,
    stranded_obligation_count: details.stranded_obligation_count ?? 0,
    stranded_obligation_sample: [...(details.stranded_obligation_sample ?? [])],
    reconciling_item_count: details.reconciling_item_count ?? 0,
    reconciling_item_sample: [...(details.reconciling_item_sample ?? [])],
    last_close_at: calendar.last_close_at?.toISOString() ?? null,
    initialized_at: calendar.initialized_at.toISOString(),
    last_sync_at: lastSyncAt?.toISOString() ?? null,
    periods: periods.map((period) => {
      const { start, end } = boundsOf(period.name);
      return {
        name: period.name,
        start_date: start,
        end_date: end,
        status: period.status,
        closed_at: period.closed_at?.toISOString() ?? null,
        has_close_receipt: period.has_close_receipt,
      };
    }),
  };
}
