import { defineRoute, graphOf, kernel, notFound, subgraphs } from '@pacioli/core';
import { isGraphStoreError } from '@pacioli/core/ports';
import { queryCounts } from '../health/index.ts';
import subgraphResponse from '../models/SubgraphResponse.ts';
import { subgraphAnswer } from '../subgraphs/index.ts';
import { analyticalGraph } from '../tokens.ts';

export default defineRoute({
  name: 'get-subgraph-info',
  path: 'GET /v1/graphs/{graph_id}/subgraphs/{subgraph_name}',
  summary: 'One subgraph by its name, with its size and counts.',
  openapi: { id: 'get_subgraph_info', tag: 'subgraphs' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: { 200: subgraphResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { subgraphs, store: kernel.store, graphStore: kernel.graphStore, analyticalGraph, queryCounts },

  async handle({ params, ctx, use }) {
    const graph = graphOf(ctx);
    const subgraph = await use.store.transaction(
      'kernel',
      (tx) => use.subgraphs.find(tx, graph.id, params.subgraph_name),
      { readOnly: true },
    );
    if (subgraph?.status !== 'active') throw notFound('The graph has no subgraph of this name.');
    const facts = { id: subgraph.graphId, parentId: graph.id, extensions: subgraph.extensions };
    const stats = await use.analyticalGraph
      .active(facts)
      .then((ref) => use.graphStore.stats(ref))
      .catch((error: unknown) => {
        // Without the engine the subgraph is shown without counts.
        if (isGraphStoreError(error)) return undefined;
        throw error;
      });
    const lastAccess = (await use.queryCounts.lastAccess([subgraph.graphId])).get(subgraph.graphId);
    return subgraphAnswer(subgraph, { stats, lastAccess });
  },
});
