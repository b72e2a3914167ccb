import {
  credits,
  type DocumentTexts,
  defineRoute,
  documentTexts,
  graphOf,
  kernel,
  type Store,
  subgraphs,
  tierNumbers,
} from '@pacioli/core';
import graphLimitsResponse from '../models/GraphLimitsResponse.ts';
import { graphLimits, measureGraphStorage } from '../usage/index.ts';

export default defineRoute({
  name: 'get-graph-limits',
  path: 'GET /v1/graphs/{graph_id}/limits',
  summary: 'Every limit of a graph with its current usage.',
  openapi: { id: 'get_graph_limits', tag: 'graph_limits' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: { 200: graphLimitsResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: {
    credits,
    graphStore: kernel.graphStore,
    staging: kernel.stagingStore,
    subgraphs,
    graphs: kernel.graphs,
    store: kernel.store,
    documents: documentTexts,
  },

  async handle({ params, ctx, use }) {
    const graph = graphOf(ctx);
    const isShared = graph.type === 'repository';
    const counted = await use.store.transaction(
      'kernel',
      async (tx) => ({
        subgraphs: graph.parentId === undefined ? await use.graphs.subgraphCount(tx, graph.id) : undefined,
        credits: isShared ? undefined : await use.credits.reads.summary(tx, { graphId: graph.id }, ctx.now()),
      }),
      { readOnly: true },
    );
    return graphLimits({
      graphId: params.graph_id,
      tier: tierNumbers(graph.tier === '' ? 'ladybug-shared' : graph.tier),
      isShared,
      documents: await countDocuments(use, graph.id),
      storage: await measureGraphStorage(use, graph.id),
      ...counted,
    });
  },
});

/** The documents of all plugins that count them; undefined without any. */
async function countDocuments(
  { store, documents }: { readonly store: Store; readonly documents: readonly DocumentTexts[] },
  graphId: string,
): Promise<number | undefined> {
  const counters = documents.flatMap(({ count }) => count ?? []);
  if (counters.length === 0) return undefined;
  return store.transaction(
    { graphId },
    async (tx) => {
      let sum = 0;
      for (const count of counters) sum += await count(tx);
      return sum;
    },
    { readOnly: true },
  );
}
