import {
  defineRoute,
  kernel,
  model,
  nullable,
  operationRuns,
  ServiceError,
  subgraphs,
  tierNumbers,
} from '@pacioli/core';
import { type GraphStore, isGraphStoreError } from '@pacioli/core/ports';
import { Type } from 'typebox';
import { backupSummary } from '../backups/index.ts';
import { graphOf } from '../graph-of.ts';
import { graphHealth, lastBuildFailure, queryCounts } from '../health/index.ts';
import { megabytes } from '../subgraphs/index.ts';
import { analyticalGraph } from '../tokens.ts';
import { knownGigabytes, measureGraphStorage } from '../usage/index.ts';

const maxProbeMs = 10_000;

const databaseHealthResponse = model('DatabaseHealthResponse', {
  graph_id: Type.String(),
  status: Type.String(),
  connection_status: Type.String(),
  uptime_seconds: Type.Number(),
  query_count_24h: Type.Integer(),
  avg_query_time_ms: Type.Number(),
  error_rate_24h: Type.Number(),
  last_query_time: Type.Optional(nullable(Type.String())),
  memory_usage_mb: Type.Optional(nullable(Type.Number())),
  memory_usage_percent: Type.Optional(nullable(Type.Number())),
  cpu_usage_percent: Type.Optional(nullable(Type.Number())),
  resource_status: Type.Optional(nullable(Type.String())),
  storage_usage_mb: Type.Optional(nullable(Type.Number())),
  alerts: Type.Optional(Type.Array(Type.String())),
  is_stale: Type.Optional(Type.Boolean({ default: false })),
  stale_reason: Type.Optional(nullable(Type.String())),
  stale_since: Type.Optional(nullable(Type.String())),
  last_materialized_at: Type.Optional(nullable(Type.String())),
  hours_since_materialization: Type.Optional(nullable(Type.Number())),
});

export default defineRoute({
  name: 'get-database-health',
  path: 'GET /v1/graphs/{graph_id}/health',
  summary: 'Whether the analytical graph responds, how its statements went in the last day, and how current it is.',
  openapi: { id: 'get_database_health', tag: 'graph_health' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: { 200: databaseHealthResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: {
    analyticalGraph,
    graphStore: kernel.graphStore,
    staging: kernel.stagingStore,
    subgraphs,
    graphs: kernel.graphs,
    store: kernel.store,
    queryCounts,
    runs: operationRuns,
  },
  errors: { QUERY_TIMEOUT: { kind: 'timeout', meaning: 'The graph engine did not answer in ten seconds.' } },

  async handle({ params, ctx, use }) {
    const graph = graphOf(ctx);
    const isReachable = await isGraphReachable(use.graphStore, () => use.analyticalGraph.catalog(graph));
    const storage = await measureGraphStorage(use, graph.id).catch((error: unknown) => {
      if (isGraphStoreError(error)) return undefined;
      throw error;
    });
    const { freshness, buildFailure, createdAt } = await use.store.transaction(
      { graphId: graph.id },
      async (tx) => ({
        freshness: await use.analyticalGraph.freshness(tx, graph),
        buildFailure: await lastBuildFailure(tx, use.runs),
        createdAt: (await use.graphs.find(tx, graph.id))?.createdAt ?? ctx.now(),
      }),
      { readOnly: true },
    );
    const backups = await use.store.transaction(
      'kernel',
      (tx) => backupSummary(tx, { id: graph.id, parentId: graph.parentId, since: createdAt }),
      { readOnly: true },
    );
    const queries = await use.queryCounts.lastDay(graph.id);
    const health = graphHealth({
      now: ctx.now(),
      isReachable,
      queries,
      ...freshness,
      buildFailure,
      hasFailedBackup: backups.hasFailed,
      storedGb: knownGigabytes(storage?.durableBytes ?? null) ?? undefined,
      maxGb: tierNumbers(graph.tier === '' ? 'ladybug-shared' : graph.tier).maxStorageGb,
    });
    return {
      graph_id: params.graph_id,
      status: health.status,
      connection_status: isReachable ? 'connected' : 'disconnected',
      uptime_seconds: Math.round(process.uptime()),
      query_count_24h: queries.statements,
      avg_query_time_ms: Math.round(queries.meanMs * 10) / 10,
      error_rate_24h: health.errorRate,
      last_query_time: queries.lastAt?.toISOString() ?? null,
      // Engines of all graphs share the host, so no figure of it would be that of one graph (graphs H-2).
      memory_usage_mb: null,
      memory_usage_percent: null,
      cpu_usage_percent: null,
      resource_status: null,
      storage_usage_mb: megabytes(storage?.total_bytes ?? null),
      alerts: health.alerts,
      is_stale: freshness.staleSince !== null,
      stale_reason: freshness.staleReason,
      stale_since: freshness.staleSince?.toISOString() ?? null,
      last_materialized_at: freshness.materializedAt?.toISOString() ?? null,
      hours_since_materialization: health.hoursSinceMaterialization,
    };
  },
});

/** True if the engine opens the graph; throws 408 if it does not answer in time. */
async function isGraphReachable(graphStore: GraphStore, open: () => Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const timeout = () => reject(new ServiceError('timeout', 'QUERY_TIMEOUT', 'The graph engine does not answer.'));
    timer = setTimeout(timeout, maxProbeMs);
  });
  try {
    const { reachable } = await Promise.race([graphStore.probe(), tooLate]);
    if (!reachable) return false;
    await Promise.race([open(), tooLate]);
    return true;
  } catch (error) {
    if (isGraphStoreError(error)) return false;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
