import { defineJob, kernel } from '@pacioli/core';
import { scheduling } from '../books.ts';
import { sweepIntervalSeconds } from '../schedules/index.ts';

/** Graphs per turn, longest waiting first. */
const maxGraphsPerTurn = 1_000;

export default defineJob({
  name: 'sweep-obligations',
  summary: 'Promotes schedule obligations whose month is over, and drafts their entries where the autopilot is on.',
  // An obligation waits at most this long after its time (ledger L-185).
  everySeconds: sweepIntervalSeconds,
  maxSeconds: 280,
  services: { scheduling, graphs: kernel.graphs },
  async handle({ ctx, use }) {
    const now = ctx.now();
    const due = await ctx.store.transaction('kernel', (tx) =>
      use.scheduling.obligations.dueGraphs(tx, now, maxGraphsPerTurn),
    );
    for (const graphId of due) {
      if (ctx.signal.aborted) return;
      try {
        await ctx.store.transaction({ graphId }, async (tx) => {
          const drafts = await use.scheduling.obligations.autopilot(tx);
          const result = await use.scheduling.sweep.run(tx, { now, userId: 'system', drafts });
          for (const { event_id, error } of result.errors)
            ctx.log.warn('an obligation could not be drafted', { graphId, event_id, error });
          // In the transaction of the change, so that every change marks the analytical graph as stale (ledger L-10).
          if (result.classified.length + result.dispatchedCount > 0)
            await use.graphs.markStale(tx, graphId, 'obligations_promoted');
        });
      } catch (error) {
        // One graph whose books are locked must not keep the others waiting.
        ctx.log.error('the obligations of a graph could not be promoted', { graphId, error });
      }
    }
  },
});
