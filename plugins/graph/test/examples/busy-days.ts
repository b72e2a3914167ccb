import { calendarDate, defineQuery, instant, model, nullable } from '@pacioli/core';
import { analyticalGraph } from '@pacioli/graph';
import { Type } from 'typebox';

export const busyDays = defineQuery({
  name: 'busyDays',
  summary: 'The days with the most things, and the time since which the numbers may be out of date.',
  args: model('BusyDaysArgs', { limit: Type.Integer({ minimum: 1, maximum: 100 }) }),
  returns: model('BusyDays', {
    days: Type.Array(model('BusyDay', { day: calendarDate(), things: Type.Integer() })),
    stale_since: nullable(instant()),
  }),
  services: { analyticalGraph },
  async resolve({ args, ctx, use }) {
    const text = 'MATCH (t:Thing) WHERE t.number > $first RETURN t.day AS day, count(t) AS n ORDER BY n DESC, day';
    const statement = { text, parameters: { first: 0 } };
    const limits = { maxRows: args.limit, signal: ctx.signal };
    const { rows } = await use.analyticalGraph.rows(ctx.tx, ctx.graph, statement, limits);
    const { staleSince } = await use.analyticalGraph.freshness(ctx.tx, ctx.graph);
    return {
      days: rows.map(({ day, n }) => ({ day: String(day), things: Number(n) })),
      stale_since: staleSince?.toISOString() ?? null,
    };
  },
});
