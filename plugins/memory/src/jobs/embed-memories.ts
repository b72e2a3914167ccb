import { defineJob, kernel } from '@pacioli/core';
import { EmbeddingError } from '@pacioli/core/ports';
import { config } from '../config.ts';
import { memoryParts } from '../providers.ts';

const graphsPerTurn = 1_000;
/** A turn starts no further batch after this time, because the jobs of a service run one after the other. */
const maxTurnSeconds = 20;

export default defineJob({
  name: 'embed-memories',
  summary: 'Makes the vectors of memories that were stored without one, or whose embedder was replaced.',
  everySeconds: 60,
  maxSeconds: 55,
  services: { settings: config.token, embedder: kernel.embedder, memoryParts },
  async handle({ ctx, use }) {
    if (!use.settings.enabled || use.embedder.dimensions === 0) return;
    const { pending } = use.memoryParts;
    const stop = AbortSignal.any([ctx.signal, AbortSignal.timeout(maxTurnSeconds * 1_000)]);
    const limits = { now: ctx.now(), limit: graphsPerTurn };
    const graphs = await ctx.store.transaction('kernel', (tx) => pending.dueGraphs(tx, limits));
    try {
      for (const { graph_id: graphId, is_retry: isRetry } of graphs) {
        if (stop.aborted) return;
        if (isRetry) await pending.retryRefused(graphId);
      }
      let due = graphs.map(({ graph_id: graphId }) => graphId);
      // One batch of each graph per round, so that a graph with many memories does not take the whole turn.
      while (due.length > 0) {
        const left: string[] = [];
        for (const graphId of due) {
          if (stop.aborted) return;
          if (await pending.embedBatch(graphId, { signal: ctx.signal, stop })) left.push(graphId);
          else await pending.recordCompletion(graphId, limits.now);
        }
        due = left;
      }
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      ctx.log.warn('vectors of memories are made later, because the embedder does not answer', { error });
    }
  },
});
