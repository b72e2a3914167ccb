import { defineOperation, invalidInput, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { closing } from '../books.ts';
import { calendarActor, requireCalendar } from '../close/index.ts';
import { FiscalCalendarResponse } from '../models/fiscal-calendar.ts';
import { periodPattern, requireTextWithinLimit } from '../values/index.ts';

export default defineOperation({
  name: 'reopen-period',
  summary: 'Reopens the latest closed month, with a reason; its entries stay posted.',
  role: 'member',
  openapi: { id: 'reopen_period', tag: 'extensions_robo_ledger' },
  mcp: { hint: 'Reopens the latest closed month with a reason, when a correction cannot wait for the next one.' },
  stale: 'period_reopened',
  input: model(
    'ReopenPeriodOperation',
    {
      reason: Type.String(),
      period: Type.String({ pattern: periodPattern }),
      note: Type.Optional(nullable(Type.String())),
    },
    {
      fields: {
        reason: 'Why the month is reopened; it must not be blank.',
        period: 'The latest closed month, YYYY-MM.',
        note: 'Free text kept with the change of the calendar; null for none.',
      },
    },
  ),
  output: FiscalCalendarResponse,
  services: { closing },
  errors: {
    NOT_FOUND: 'The calendar is not initialized, or does not have the month.',
    INVALID_INPUT: 'The reason is blank, the month is not closed, or later months are closed.',
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another caller is writing to the month; send the request again.' },
  },

  async handle({ input, ctx, use }) {
    requireTextWithinLimit({ reason: input.reason, note: input.note });
    const reason = input.reason.trim();
    if (reason === '') throw invalidInput('reason: say why the month is reopened.');
    const by = calendarActor(ctx.caller, ctx.now());
    const request = { graphId: ctx.graph.id, period: input.period, reason, note: input.note ?? null };
    await use.closing.periodReopener.reopen(ctx.tx, request, by);
    return requireCalendar(
      await use.closing.calendarReader.view(ctx.tx, ctx.graph.id, by.now.toISOString().slice(0, 10)),
    );
  },
});
