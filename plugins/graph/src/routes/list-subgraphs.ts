import {
  defineRoute,
  graphOf,
  instant,
  kernel,
  model,
  notFound,
  nullable,
  oneOf,
  ServiceError,
  subgraphs,
  tierNumbers,
} from '@pacioli/core';
import { Type } from 'typebox';
import { queryCounts } from '../health/index.ts';
import { accessOf, megabytes } from '../subgraphs/index.ts';

const summary = model('SubgraphSummary', {
  graph_id: Type.String(),
  subgraph_name: Type.String(),
  display_name: Type.String(),
  subgraph_type: oneOf(['empty', 'knowledge', 'static']),
  status: Type.String(),
  created_at: instant(),
  size_bytes: Type.Optional(nullable(Type.Integer())),
  size_mb: Type.Optional(nullable(Type.Number())),
  last_accessed: Type.Optional(nullable(instant())),
});

export default defineRoute({
  name: 'list-subgraphs',
  path: 'GET /v1/graphs/{graph_id}/subgraphs',
  summary: 'The subgraphs of the graph with their sizes, the newest first.',
  openapi: { id: 'list_subgraphs', tag: 'subgraphs' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: {
    200: model('ListSubgraphsResponse', {
      parent_graph_id: Type.String(),
      parent_graph_name: Type.String(),
      parent_graph_tier: Type.String(),
      subgraphs_enabled: Type.Boolean(),
      subgraph_count: Type.Integer(),
      subgraphs: Type.Array(summary),
      max_subgraphs: Type.Optional(nullable(Type.Integer())),
      total_size_bytes: Type.Optional(nullable(Type.Integer())),
      total_size_mb: Type.Optional(nullable(Type.Number())),
    }),
  },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { subgraphs, store: kernel.store, graphs: kernel.graphs, graphStore: kernel.graphStore, queryCounts },

  async handle({ ctx, use }) {
    const graph = graphOf(ctx);
    if (graph.parentId !== undefined) {
      const msg = 'A subgraph has no subgraphs: use the id of its parent';
      throw new ServiceError('invalid_input', 'INVALID_INPUT', `graph_id: ${msg}`, {
        issues: [{ loc: ['path', 'graph_id'], msg, type: 'value_error' }],
      });
    }
    const { record, list } = await use.store.transaction(
      'kernel',
      async (tx) => ({ record: await use.graphs.find(tx, graph.id), list: await use.subgraphs.list(tx, graph.id) }),
      { readOnly: true },
    );
    if (record === undefined) throw notFound('Graph not found.');
    const active = list.filter(({ status }) => status === 'active');
    const sizes = await Promise.all(
      active.map(async ({ graphId }) => {
        if (!use.graphStore.capabilities.reportsSizes) return null;
        return (await use.graphStore.sizes(graphId)).reduce((sum, { size_bytes }) => sum + size_bytes, 0);
      }),
    );
    const accesses = await use.queryCounts.lastAccess(active.map(({ graphId }) => graphId));
    const total = use.graphStore.capabilities.reportsSizes
      ? sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)
      : null;
    const most = tierNumbers(record.tier).maxSubgraphs;
    return {
      parent_graph_id: graph.id,
      parent_graph_name: record.name,
      parent_graph_tier: record.tier,
      subgraphs_enabled: most !== 0,
      subgraph_count: active.length,
      subgraphs: active.map((subgraph, index) => ({
        graph_id: subgraph.graphId,
        subgraph_name: subgraph.name,
        display_name: subgraph.displayName,
        subgraph_type: subgraph.type,
        status: subgraph.status,
        created_at: subgraph.createdAt.toISOString(),
        size_bytes: sizes[index] ?? null,
        size_mb: megabytes(sizes[index] ?? null),
        last_accessed: accessOf(subgraph, accesses.get(subgraph.graphId)),
      })),
      max_subgraphs: most < 0 ? null : most,
      total_size_bytes: total,
      total_size_mb: megabytes(total),
    };
  },
});
