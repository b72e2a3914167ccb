import { defineJob, kernel } from '@pacioli/core';
import { SearchIndexError } from '@pacioli/core/ports';
import { graphsEmbeddedOtherwise, hasNoEmbedder, renewVectors } from '../indexing/index.ts';
import { search } from '../search.ts';

const graphsPerRead = 50;
const maxTurnSeconds = 60;

export default defineJob({
  name: 'renew-vectors',
  summary: 'Makes vectors for entries of the search index that have none of the current embedder.',
  everySeconds: 120,
  maxSeconds: 300,
  services: { search, index: kernel.searchIndex, embedder: kernel.embedder, log: kernel.log },
  async handle({ ctx, use }) {
    if (!use.search.isOn || hasNoEmbedder(use.embedder)) return;
    const stop = AbortSignal.any([ctx.signal, AbortSignal.timeout(maxTurnSeconds * 1_000)]);
    let after = '';
    for (;;) {
      const page = { after, limit: graphsPerRead };
      const graphs = await ctx.store.transaction('kernel', (tx) => graphsEmbeddedOtherwise(tx, use.embedder.id, page));
      for (const graph of graphs) {
        if (stop.aborted) return;
        try {
          const { indexer } = use.search;
          // Vectors would raise the revision of an older copy, which then looked like the current one.
          await indexer.checkIndex(graph.graph_id, await indexer.notedIn(graph.graph_id), stop);
          await renewVectors({ ...use, store: ctx.store }, graph, stop);
        } catch (error) {
          if (!(error instanceof SearchIndexError)) throw error;
          ctx.log.warn('the vectors of a graph were not renewed', { graphId: graph.graph_id, error });
        }
        after = graph.graph_id;
      }
      if (graphs.length < graphsPerRead) return;
    }
  },
});
