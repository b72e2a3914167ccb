import { defineQuery, nullable } from '@pacioli/core';
import { fiscalCalendarStore } from '../internal-tokens.ts';
import { calendarView, FiscalCalendar } from '../models/fiscal-calendar.ts';

export default defineQuery({
  name: 'fiscalCalendar',
  summary: 'The months of the books and how far they are closed; null before initialize.',
  returns: nullable(FiscalCalendar),
  needs: { fiscalCalendarStore },
  async resolve({ ctx, use }) {
    const calendar = await use.fiscalCalendarStore.find(ctx.tx);
    if (calendar === undefined) return null;
    return calendarView(
      ctx.graph.id,
      calendar,
      await use.fiscalCalendarStore.periods(ctx.tx),
      ctx.now().toISOString().slice(0, 10),
    );
  },
});
