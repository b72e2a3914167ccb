import { defineJob } from '@pacioli/core';
import { ledgerLog } from '../book-tokens.ts';

/** Graphs of one turn; what is left comes with the next. */
const maxGraphsPerTurn = 1_000;

/** After so long a turn begins no further batch: the jobs of a service run one after the other. */
const maxTurnSeconds = 10;

export default defineJob({
  name: 'seal-log',
  summary: 'Chains what was written to the log of the books by hashes.',
  everySeconds: 60,
  maxSeconds: 55,
  services: { ledgerLog },
  async handle({ ctx, use }) {
    const stop = AbortSignal.any([ctx.signal, AbortSignal.timeout(maxTurnSeconds * 1_000)]);
    // Ledger L-214: a transaction for each batch, so that nobody waits long for the chain.
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
    // A batch of each graph before the next of any: one with many rows does not take the whole turn.
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
