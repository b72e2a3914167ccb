import { defineJob } from '@pacioli/core';
import { ledgerLog } from '../book-tokens.ts';

/** Graphs of one turn, and batches of one graph in it; what is left comes with the next. */
const graphs_per_turn_max = 1_000;
const batches_per_graph_max = 50;

export default defineJob({
  name: 'seal-log',
  summary: 'Chains what was written to the log of the books by hashes.',
  every_seconds: 60,
  seconds_max: 55,
  needs: { ledgerLog },
  async handle({ ctx, use }) {
    const waiting = await ctx.store.transaction('kernel', (tx) => use.ledgerLog.graphsToSeal(tx, graphs_per_turn_max));
    for (const graphId of waiting) {
      try {
        // Ledger L-214: a transaction for each batch, so that a close never waits long for the chain.
        for (let batch = 0; batch < batches_per_graph_max && !ctx.signal.aborted; batch += 1) {
          if ((await ctx.store.transaction({ graphId }, (tx) => use.ledgerLog.seal(tx))) === 0) break;
        }
      } catch (error) {
        // One graph whose chain is locked must not keep the others waiting.
        ctx.log.error('the log of a graph could not be sealed', { graphId, error });
      }
    }
  },
});
