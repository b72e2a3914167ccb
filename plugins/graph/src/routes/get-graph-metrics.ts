import { defineRoute, gigabytes, graphOf, mapOf, model, nullable, openObject } from '@pacioli/core';
import { isGraphStoreError } from '@pacioli/core/ports';
import { Type } from 'typebox';
import { queryErrors, queryFailure } from '../cypher/index.ts';
import { healthServices, measureHealth } from '../measured-health.ts';
import { rowCount } from '../row-count.ts';
import { measureGraphStorage } from '../usage/index.ts';

const graphMetricsResponse = model('GraphMetricsResponse', {
  graph_id: Type.String(),
  timestamp: Type.String(),
  total_nodes: Type.Integer(),
  total_relationships: Type.Integer(),
  node_counts: mapOf(Type.Integer()),
  relationship_counts: mapOf(Type.Integer()),
  storage: openObject(),
  health_status: openObject(),
  graph_name: Type.Optional(nullable(Type.String())),
  user_role: Type.Optional(nullable(Type.String())),
});

const maxCountingMs = 30_000;

export default defineRoute({
  name: 'get-graph-metrics',
  path: 'GET /v1/graphs/{graph_id}/metrics',
  summary: 'The size of a graph: nodes and relationships by type, and storage.',
  openapi: { id: 'get_graph_metrics', tag: 'usage' },
  category: 'graph_analytics',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: { 200: graphMetricsResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: healthServices,
  errors: queryErrors,

  async handle({ params, ctx, use }) {
    const graph = graphOf(ctx);
    const started = performance.now();
    const counts = await use.analyticalGraph
      .active(graph)
      .then((ref) => use.graphStore.stats(ref))
      .catch((error: unknown) => {
        throw queryFailure(error, { timeoutMs: maxCountingMs, elapsedMs: performance.now() - started });
      });
    const { health, freshness } = await measureHealth(use, graph, ctx.now());
    const { staleSince, staleReason } = freshness;
    return {
      graph_id: params.graph_id,
      timestamp: ctx.now().toISOString(),
      total_nodes: rowCount(counts.nodes),
      total_relationships: rowCount(counts.relationships),
      node_counts: counts.nodes,
      relationship_counts: counts.relationships,
      storage: await storageOf(use, graph.id),
      health_status: {
        status: health.status,
        is_stale: staleSince !== null,
        stale_since: staleSince?.toISOString() ?? null,
        stale_reason: staleReason,
      },
      graph_name: graph.name,
      user_role: graph.role,
    };
  },
});

/** Reports storage that cannot be measured as such, never as an estimate (graphs H-30). */
async function storageOf(
  use: Parameters<typeof measureGraphStorage>[0],
  graphId: string,
): Promise<Record<string, unknown>> {
  try {
    const { items, total_bytes } = await measureGraphStorage(use, graphId);
    if (total_bytes === null) return { error: 'The graph engine does not report storage.', items };
    return {
      total_bytes,
      total_kb: total_bytes / 1024,
      total_mb: total_bytes / 1024 ** 2,
      total_gb: gigabytes(total_bytes),
      items,
    };
  } catch (error) {
    if (!isGraphStoreError(error)) throw error;
    return { error: 'Storage cannot be measured at the moment.' };
  }
}
