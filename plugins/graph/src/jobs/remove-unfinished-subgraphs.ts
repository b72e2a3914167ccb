import { defineJob, kernel, subgraphs } from '@pacioli/core';
import { failFinalBackups } from '../backups/index.ts';
import { lostDeletionMs } from '../subgraphs/index.ts';

/** Longer than all attempts of a run take. */
const minAgeMs = 86_400_000;
const subgraphsPerTurn = 100;

export default defineJob({
  name: 'remove-unfinished-subgraphs',
  summary: 'Removes subgraphs whose copy no worker completed, and restores those whose deletion was interrupted.',
  everySeconds: 60,
  maxSeconds: 300,
  services: { subgraphs, graphStore: kernel.graphStore },
  async handle({ ctx, use }) {
    const now = ctx.now();
    const started = new Date(now.getTime() - lostDeletionMs);
    await ctx.store.transaction('kernel', async (tx) => {
      const restored = await use.subgraphs.endLostDeletions(tx, started, now);
      if (restored.length > 0) await failFinalBackups(tx, restored, now);
    });
    const before = new Date(ctx.now().getTime() - minAgeMs);
    const unfinished = await ctx.store.transaction('kernel', (tx) =>
      use.subgraphs.unfinished(tx, before, subgraphsPerTurn),
    );
    for (const { graph_id: graphId } of unfinished) {
      if (ctx.signal.aborted) return;
      for (const generation of await use.graphStore.generations(graphId))
        await use.graphStore.drop({ graphId, generation });
      await ctx.store.transaction('kernel', (tx) => use.subgraphs.remove(tx, graphId));
    }
  },
});
