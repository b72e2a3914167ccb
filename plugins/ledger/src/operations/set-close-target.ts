import { defineOperation, invalidInput, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { books, closing } from '../books.ts';
import { calendarActor, requireCalendar } from '../close/index.ts';
import { FiscalCalendarResponse } from '../models/fiscal-calendar.ts';
import { periodPattern, problemOfTarget, requireTextWithinLimit } from '../values/index.ts';

export default defineOperation({
  name: 'set-close-target',
  summary: 'Sets the month through which the books should be closed; does not close any month.',
  role: 'member',
  openapi: { id: 'set_close_target', tag: 'extensions_robo_ledger' },
  input: model('SetCloseTargetOperation', {
    period: Type.String({ pattern: periodPattern }),
    note: Type.Optional(nullable(Type.String())),
  }),
  output: FiscalCalendarResponse,
  mcp: { held: 'Sets the goal of the people who close the books.' },
  services: { books, closing },
  errors: {
    NOT_FOUND: 'The calendar is not initialized.',
    INVALID_INPUT: 'The month is malformed, not over yet, or earlier than the last closed month.',
  },

  async handle({ input, ctx, use }) {
    requireTextWithinLimit({ note: input.note });
    const calendar = requireCalendar(await use.books.calendar.findForUpdate(ctx.tx));
    const now = ctx.now();
    const today = now.toISOString().slice(0, 10);
    const problem = problemOfTarget(input.period, {
      closedThrough: calendar.closed_through,
      currentPeriod: today.slice(0, 7),
    });
    if (problem !== undefined) throw invalidInput(problem);
    const target = { from: calendar.close_target, to: input.period, note: input.note ?? null };
    await use.books.calendar.setTarget(ctx.tx, target, calendarActor(ctx.caller, now));
    return requireCalendar(await use.closing.calendarReader.view(ctx.tx, ctx.graph.id, today));
  },
});
