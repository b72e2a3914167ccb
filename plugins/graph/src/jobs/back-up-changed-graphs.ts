import { defineJob, graphSchemas, kernel, tierNumbers } from '@pacioli/core';
import { backUpGraph } from '../backups/index.ts';
import { dueBackups, forgetChanges, noteBackedUp, tryAgainLater } from '../changes/index.ts';
import { config } from '../config.ts';
import { analyticalGraph } from '../tokens.ts';

const backupsPerRead = 20;
/** A turn starts no backup after this time, because the jobs of a service run one after the other. */
const maxTurnSeconds = 120;

export default defineJob({
  name: 'back-up-changed-graphs',
  summary: 'Takes a nightly backup of every graph and subgraph that changed since its last one.',
  everySeconds: 300,
  maxSeconds: 1_800,
  services: {
    settings: config.token,
    store: kernel.store,
    graphs: kernel.graphs,
    graphStore: kernel.graphStore,
    files: kernel.fileStore,
    ids: kernel.ids,
    clock: kernel.clock,
    schemas: graphSchemas,
    analytical: analyticalGraph,
  },
  async handle({ ctx, use }) {
    // Without a file store there is no place for backups.
    if (!use.settings.nightlyBackups || use.files.driver === 'none') return;
    const stop = AbortSignal.any([ctx.signal, AbortSignal.timeout(maxTurnSeconds * 1_000)]);
    for (;;) {
      const due = await ctx.store.transaction('kernel', (tx) => dueBackups(tx, ctx.now(), backupsPerRead));
      for (const each of due) {
        if (stop.aborted) return;
        const graph = await ctx.store.transaction('kernel', (tx) => use.graphs.find(tx, each.graph_id));
        if (graph?.status !== 'active') {
          await ctx.store.transaction('kernel', (tx) => forgetChanges(tx, each.graph_id));
          continue;
        }
        const startedAt = ctx.now();
        try {
          await backUpGraph(use, {
            listedUnder: graph.parentId ?? graph.id,
            of: graph,
            initiatedBy: 'scheduled',
            retentionDays: tierNumbers(graph.tier).backup.retention_days,
            signal: ctx.signal,
          });
          await ctx.store.transaction('kernel', (tx) => noteBackedUp(tx, graph.id, { startedAt, now: ctx.now() }));
        } catch (error) {
          if (ctx.signal.aborted) return;
          ctx.log.error('a nightly backup was not taken', { graphId: each.graph_id, error });
          await ctx.store.transaction('kernel', (tx) => tryAgainLater(tx, each.graph_id, ctx.now()));
        }
      }
      if (due.length < backupsPerRead) return;
    }
  },
});
