import { defineJob } from '@pacioli/core';
import { ledgerLog } from '../tokens.ts';

/** Graphs per turn; the rest is left to the next turn. */
const maxGraphsPerTurn = 1_000;

/** A turn starts no further batch after this time, because the jobs of a service run one after the other. */
const maxTurnSeconds = 10;

export default defineJob({
  name: 'seal-log',
  summary: 'Seals new rows of the ledger log into its hash chain.',
  everySeconds: 60,
  maxSeconds: 55,
  services: { ledgerLog },
  async handle({ ctx, use }) {
    const stop = AbortSignal.any([ctx.signal, AbortSignal.timeout(maxTurnSeconds * 1_000)]);
    // One transaction per batch, so that no writer waits long for the chain (ledger L-214).
    const seal = async (graphId: string): Promise<number> => {
      try {
        return await ctx.store.transaction({ graphId }, (tx) => use.ledgerLog.seal(tx));
      } catch (error) {
        // One graph whose chain is locked must not keep the others waiting.
        ctx.log.error('the log of a graph could not be sealed', { graphId, error });
        return 0;
      }
    };
    let waiting = await ctx.store.transaction('kernel', (tx) => use.ledgerLog.graphsToSeal(tx, maxGraphsPerTurn));
    // One batch of each graph per round, so that a graph with many rows does not take the whole turn.
    while (waiting.length > 0) {
      const left: string[] = [];
      for (const graphId of waiting) {
        if (stop.aborted) return;
        if ((await seal(graphId)) > 0) left.push(graphId);
      }
      waiting = left;
    }
  },
});
