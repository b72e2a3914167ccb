import { defineJob, kernel } from '@pacioli/core';
import { duePending, graphsInOtherIndex, indexIdOf, noteIndex } from '../indexing/index.ts';
import { search } from '../search.ts';

const rowsPerRead = 50;
/** Graphs whose index was lost or exchanged that a turn finds; a search finds its own at once (ai-surface D-17). */
const graphsPerTurn = 100;
/** A turn starts nothing after this time, because the jobs of a service run one after the other. */
const maxTurnSeconds = 60;

export default defineJob({
  name: 'resolve-pending-documents',
  summary:
    'Writes documents and texts of reports to the search index, or removes them, where that failed or was broken off.',
  everySeconds: 60,
  maxSeconds: 300,
  services: { search, index: kernel.searchIndex },
  async handle({ ctx, use }) {
    if (!use.search.isOn) return;
    const stop = AbortSignal.any([ctx.signal, AbortSignal.timeout(maxTurnSeconds * 1_000)]);
    const indexId = await indexIdOf(use.index);
    if (indexId === undefined) return;
    const elsewhere = await ctx.store.transaction('kernel', async (tx) => {
      await noteIndex(tx, indexId);
      return graphsInOtherIndex(tx, indexId, graphsPerTurn);
    });
    for (const graphId of elsewhere) await use.search.indexer.moveToIndex(graphId);
    for (;;) {
      const due = await ctx.store.transaction('kernel', (tx) => duePending(tx, ctx.now(), rowsPerRead));
      for (const row of due) {
        if (stop.aborted) return;
        // What fails is due later, so that each is tried once in a turn.
        await use.search.indexer.resolve(row, ctx.signal);
      }
      if (due.length < rowsPerRead) break;
    }
    await use.search.texts.resolveDue({ now: ctx.now() }, ctx.signal, stop);
  },
});
