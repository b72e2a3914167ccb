import { defineQuery, nullable } from '@pacioli/core';
import { calendarReader } from '../composition/internal-tokens.ts';
import { FiscalCalendar } from '../models/fiscal-calendar.ts';

export default defineQuery({
  name: 'fiscalCalendar',
  summary: 'The months of the books and how far they are closed; null before initialize.',
  returns: nullable(FiscalCalendar),
  services: { calendarReader },
  cost: { points: 20 },
  async resolve({ ctx, use }) {
    const today = ctx.now().toISOString().slice(0, 10);
    return (await use.calendarReader.view(ctx.tx, ctx.graph.id, today)) ?? null;
  },
});
