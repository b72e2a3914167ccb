import { calendarDate, defineQuery, instant, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { closing } from '../books.ts';

const PendingObligationDetail = model('PendingObligationDetail', {
  event_id: Type.String(),
  schedule_id: nullable(Type.String()),
  schedule_name: nullable(Type.String()),
  period: Type.String(),
});

/** The calendar as GraphQL shows it. */
const FiscalCalendar = model('FiscalCalendar', {
  graph_id: Type.String(),
  fiscal_year_start_month: Type.Integer(),
  closed_through: nullable(Type.String()),
  close_target: nullable(Type.String()),
  gap_periods: Type.Integer(),
  catch_up_sequence: Type.Array(Type.String()),
  closeable_now: Type.Boolean(),
  blockers: Type.Array(Type.String()),
  pending_obligation_count: Type.Integer(),
  pending_obligation_sample: Type.Array(PendingObligationDetail),
  earliest_pending_period: nullable(Type.String()),
  sync_stale_days: nullable(Type.Integer()),
  stranded_obligation_count: Type.Integer(),
  stranded_obligation_sample: Type.Array(PendingObligationDetail),
  reconciling_item_count: Type.Integer(),
  reconciling_item_sample: Type.Array(Type.String()),
  last_close_at: nullable(instant()),
  initialized_at: nullable(instant()),
  last_sync_at: nullable(instant()),
  periods: Type.Array(
    model('FiscalPeriodSummary', {
      name: Type.String(),
      start_date: calendarDate(),
      end_date: calendarDate(),
      status: Type.String(),
      closed_at: nullable(instant()),
      has_close_receipt: Type.Boolean(),
    }),
  ),
});

export default defineQuery({
  name: 'fiscalCalendar',
  summary: 'The months of the books and how far they are closed; null before initialize.',
  returns: nullable(FiscalCalendar),
  mcp: { tool: 'get-fiscal-calendar', hint: 'Read it before you close or post into a month.' },
  services: { closing },
  cost: { points: 20 },
  async resolve({ ctx, use }) {
    const today = ctx.now().toISOString().slice(0, 10);
    return (await use.closing.calendarReader.view(ctx.tx, ctx.graph.id, today)) ?? null;
  },
});
