import { defineRoute, graphOf, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { healthServices, measureHealth } from '../measured-health.ts';
import { megabytes } from '../subgraphs/index.ts';

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
  summary:
    'The state of the analytical graph: whether it responds, its statements of the last day, and how current it is.',
  openapi: { id: 'get_database_health', tag: 'graph_health' },
  category: 'graph_read',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  answers: { 200: databaseHealthResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: healthServices,
  errors: { QUERY_TIMEOUT: { kind: 'timeout', meaning: 'The graph engine did not answer in ten seconds.' } },

  async handle({ params, ctx, use }) {
    const graph = graphOf(ctx);
    const { health, isReachable, queries, storage, freshness } = await measureHealth(use, graph, ctx.now());
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
