import { defineOperation, mapOf, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { closing } from '../books.ts';
import { type CloseOverride, calendarActor, requireCalendar } from '../close/index.ts';
import { FiscalCalendarResponse } from '../models/fiscal-calendar.ts';
import { periodPattern, requireTextWithinLimit } from '../values/index.ts';

const isAllowed = () => Type.Optional(Type.Boolean({ default: false }));

const BackfillPeriodOutcome = model('BackfillPeriodOutcome', {
  period: Type.String(),
  status: Type.String(),
  statements_stamped: isAllowed(),
  statement_stamp_note: Type.Optional(nullable(Type.String())),
  statement_rule_summary: Type.Optional(nullable(mapOf(Type.Integer()))),
  detail: Type.Optional(nullable(Type.String())),
});

export default defineOperation({
  name: 'backfill-plan-history',
  summary: 'Writes the statements of months that were closed without them, by reopening and closing each again.',
  role: 'member',
  openapi: { id: 'backfill_plan_history', tag: 'extensions_robo_ledger' },
  mcp: { hint: 'Builds the past months of a schedule that began before the books did.', idempotent: true },
  stale: 'period_closed',
  input: model(
    'BackfillPlanHistoryOperation',
    {
      start_period: Type.Optional(nullable(Type.String({ pattern: periodPattern }))),
      max_periods: Type.Optional(Type.Integer({ default: 12 })),
      allow_stale_sync: isAllowed(),
      allow_stranded_obligations: isAllowed(),
      allow_reconciling_items: isAllowed(),
      restamp: isAllowed(),
      note: Type.Optional(nullable(Type.String())),
    },
    {
      fields: {
        start_period: 'The first month, YYYY-MM; by default the first one with posted entries.',
        max_periods: 'Months of this call, 1 to 24; repeat it until `remaining_periods` is empty.',
        allow_stale_sync: 'As in `close-period`.',
        allow_stranded_obligations: 'As in `close-period`.',
        allow_reconciling_items: 'As in `close-period`.',
        restamp: 'Also closes months again that have statements.',
        note: 'Free text kept with the changes of the calendar; null for none.',
      },
    },
  ),
  output: model('BackfillPlanHistoryResponse', {
    fiscal_calendar: FiscalCalendarResponse,
    earliest_available_period: Type.String(),
    effective_start_period: Type.String(),
    closed_through: Type.String(),
    period_rows_created: Type.Optional(Type.Integer({ default: 0 })),
    processed: Type.Optional(Type.Array(BackfillPeriodOutcome)),
    remaining_periods: Type.Optional(Type.Array(Type.String())),
  }),
  services: { closing },
  errors: {
    INVALID_INPUT: 'No calendar, no closed month or no posted entries; or the start lies after the last closed month.',
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another caller is writing to a month; send the request again.' },
  },

  async handle({ input, ctx, use }) {
    requireTextWithinLimit({ note: input.note });
    const by = calendarActor(ctx.caller, ctx.now());
    const flags: readonly CloseOverride[] = [
      'allow_stale_sync',
      'allow_stranded_obligations',
      'allow_reconciling_items',
    ];
    const done = await use.closing.planHistory.backfill(
      ctx.tx,
      {
        graphId: ctx.graph.id,
        startPeriod: input.start_period ?? null,
        maxPeriods: input.max_periods ?? 12,
        restamp: input.restamp ?? false,
        overrides: new Set(flags.filter((flag) => input[flag] === true)),
        note: input.note ?? null,
      },
      by,
    );
    const today = by.now.toISOString().slice(0, 10);
    const calendar = await use.closing.calendarReader.view(ctx.tx, ctx.graph.id, today);
    return {
      fiscal_calendar: requireCalendar(calendar),
      earliest_available_period: done.earliestPeriod,
      effective_start_period: done.startPeriod,
      closed_through: done.closedThrough,
      period_rows_created: done.rowsCreated,
      processed: done.processed.map(({ period, status, outcome, detail }) => ({
        period,
        status,
        statements_stamped: outcome?.statements_stamped ?? false,
        statement_stamp_note: outcome?.statement_stamp_note ?? null,
        statement_rule_summary: outcome?.statement_rule_summary ?? null,
        detail,
      })),
      remaining_periods: [...done.remaining],
    };
  },
});
