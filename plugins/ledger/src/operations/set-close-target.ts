import { defineOperation, invalidInput, model, notFound, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { period_pattern, problemOfTarget } from '../domain/periods.ts';
import { fiscalCalendarStore } from '../internal-tokens.ts';
import { calendarView, FiscalCalendarResponse } from '../models/fiscal-calendar.ts';

export default defineOperation({
  name: 'set-close-target',
  summary: 'Sets the month up to which the books are to be closed; closes nothing.',
  need: 'member',
  openapi: { id: 'set_close_target', tag: 'extensions_robo_ledger' },
  input: model('SetCloseTargetOperation', {
    period: Type.String({ pattern: period_pattern }),
    note: Type.Optional(nullable(Type.String())),
  }),
  output: FiscalCalendarResponse,
  needs: { fiscalCalendarStore },
  errors: {
    NOT_FOUND: 'The calendar has not been started.',
    INVALID_INPUT: 'The month is malformed, not over yet, or earlier than what is closed.',
  },

  async handle({ input, ctx, use }) {
    const calendar = await use.fiscalCalendarStore.findForUpdate(ctx.tx);
    if (calendar === undefined) throw notFound('Fiscal calendar not initialized. Call /operations/initialize first.');
    const now = ctx.now();
    const today = now.toISOString().slice(0, 10);
    const problem = problemOfTarget(input.period, {
      closedThrough: calendar.closed_through,
      currentPeriod: today.slice(0, 7),
    });
    if (problem !== undefined) throw invalidInput(problem);
    const target = { from: calendar.close_target, to: input.period, note: input.note ?? null };
    await use.fiscalCalendarStore.setTarget(ctx.tx, target, { userId: ctx.caller.userId, now });
    const periods = await use.fiscalCalendarStore.periods(ctx.tx);
    return calendarView(ctx.graph.id, { ...calendar, close_target: input.period }, periods, today);
  },
});
