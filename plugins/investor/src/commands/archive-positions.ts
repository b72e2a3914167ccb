import { calendarDate, defineCommand, kernel, model, notFound } from '@pacioli/core';
import { Type } from 'typebox';
import { investments } from '../investments.ts';

/** Positions that one transaction archives. */
const positionsPerTransaction = 1_000;

/** Archives positions that were disposed of long ago; nothing on the wire does it (P-33). */
export default defineCommand({
  name: 'archive-positions',
  summary: 'Archives the positions of a graph that were disposed of before a date.',
  help: 'Archived positions cannot be changed any more. With the embedded store, stop the server first.',
  options: model('ArchivePositionsOptions', {
    graph: Type.String({ description: 'id of the graph' }),
    older_than: calendarDate({ description: 'positions disposed of before this date are archived' }),
  }),
  positional: ['graph'],
  services: { graphs: kernel.graphs, investments },
  async run({ options: { graph: graphId, older_than: before }, ctx, use }) {
    const graph = await ctx.store.transaction('kernel', (tx) => use.graphs.find(tx, graphId));
    if (graph === undefined) throw notFound(`There is no graph '${graphId}'. Give the id of one, such as kg1a2b.`);
    const { positions } = use.investments;
    let archived = 0;
    for (let batch = positionsPerTransaction; batch === positionsPerTransaction; archived += batch) {
      batch = await ctx.store.transaction({ graphId }, async (tx) => {
        const count = await positions.archive(tx, { before, limit: positionsPerTransaction }, ctx.now());
        if (count > 0) await use.graphs.markStale(tx, graphId, 'positions_archived');
        return count;
      });
    }
    ctx.print(`Archived ${archived} positions of ${graphId}.`);
    return 0;
  },
});
