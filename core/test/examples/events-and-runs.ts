import { defineJob, graphCreated } from '@pacioli/core';
import { graphTitle } from './graphs-and-people.ts';
import { insertReminder } from './store.ts';

/** Events are delivered after the commit, at least once; with a fixed id, a second delivery changes nothing. */
export const welcome = defineJob({
  name: 'welcome',
  summary: 'Gives a new graph its first reminder.',
  on: graphCreated,
  maxSeconds: 30,
  services: { graphTitle },
  async handle({ payload, ctx, use }) {
    const graphId = payload.graph_id;
    const title = await ctx.store.transaction('kernel', (tx) => use.graphTitle(tx, graphId));
    const first = { id: 'rem_first', body: `Set up the books of ${title}.`, due_date: null };
    await ctx.store.transaction({ graphId }, (tx) => insertReminder(tx, graphId, first));
  },
});
