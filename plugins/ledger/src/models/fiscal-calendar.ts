import { calendarDate, instant, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

const FiscalPeriodSummary = model('FiscalPeriodSummary', {
  name: Type.String(),
  start_date: calendarDate(),
  end_date: calendarDate(),
  status: Type.String(),
  closed_at: Type.Optional(nullable(instant())),
  has_close_receipt: Type.Optional(Type.Boolean({ default: false })),
});

const PendingObligationDetailResponse = model('PendingObligationDetailResponse', {
  event_id: Type.String(),
  schedule_id: Type.Optional(nullable(Type.String())),
  schedule_name: Type.Optional(nullable(Type.String())),
  period: Type.String(),
});

const text = () => Type.Optional(nullable(Type.String()));

const count = () => Type.Optional(Type.Integer({ default: 0 }));

/** The calendar as operations return it. */
export const FiscalCalendarResponse = model('FiscalCalendarResponse', {
  graph_id: Type.String(),
  fiscal_year_start_month: Type.Integer(),
  closed_through: text(),
  close_target: text(),
  gap_periods: count(),
  catch_up_sequence: Type.Optional(Type.Array(Type.String())),
  closeable_now: Type.Optional(Type.Boolean({ default: false })),
  blockers: Type.Optional(Type.Array(Type.String())),
  pending_obligation_count: count(),
  pending_obligation_sample: Type.Optional(Type.Array(PendingObligationDetailResponse)),
  earliest_pending_period: text(),
  sync_stale_days: Type.Optional(nullable(Type.Integer())),
  stranded_obligation_count: count(),
  stranded_obligation_sample: Type.Optional(Type.Array(PendingObligationDetailResponse)),
  reconciling_item_count: count(),
  reconciling_item_sample: Type.Optional(Type.Array(Type.String())),
  last_close_at: Type.Optional(nullable(instant())),
  initialized_at: Type.Optional(nullable(instant())),
  last_sync_at: Type.Optional(nullable(instant())),
  periods: Type.Optional(Type.Array(FiscalPeriodSummary)),
});
