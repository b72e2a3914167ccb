import { defineRoute, gigabytes, graphOf, graphUsage, kernel, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { daysOf, timeRange, usagePeriod } from '../usage/index.ts';

const creditSummary = model('CreditSummary', {
  graph_tier: Type.String(),
  total_credits_consumed: Type.Number(),
  total_base_cost: Type.Number(),
  operation_breakdown: openObject(),
  cached_operations: Type.Integer(),
  billable_operations: Type.Integer(),
  transaction_count: Type.Integer(),
});

const performanceInsights = model('PerformanceInsights', {
  analysis_period_days: Type.Integer(),
  total_operations: Type.Integer(),
  operation_stats: openObject(),
  slow_queries: Type.Array(openObject()),
  performance_score: Type.Integer(),
});

const storageSummary = model('StorageSummary', {
  graph_tier: Type.String(),
  avg_storage_gb: Type.Number(),
  max_storage_gb: Type.Number(),
  min_storage_gb: Type.Number(),
  measurement_count: Type.Integer(),
});

const graphUsageResponse = model('GraphUsageResponse', {
  graph_id: Type.String(),
  time_range: Type.String(),
  timestamp: Type.String(),
  storage_summary: Type.Optional(nullable(storageSummary)),
  credit_summary: Type.Optional(nullable(creditSummary)),
  performance_insights: Type.Optional(nullable(performanceInsights)),
  recent_events: Type.Optional(Type.Array(openObject())),
});

export default defineRoute({
  name: 'get-graph-usage',
  path: 'GET /v1/graphs/{graph_id}/usage',
  summary: 'The usage of a graph over a period: storage, credits, operations and events.',
  openapi: { id: 'get_graph_usage', tag: 'usage' },
  category: 'graph_analytics',
  auth: ['api-key', 'bearer'],
  role: 'viewer',
  effect: 'read',
  query: model('GraphUsageQuery', {
    time_range: Type.Optional(Type.String({ default: '30d' })),
    include_storage: Type.Optional(Type.Boolean({ default: true })),
    include_credits: Type.Optional(Type.Boolean({ default: true })),
    include_performance: Type.Optional(Type.Boolean({ default: false })),
    include_events: Type.Optional(Type.Boolean({ default: false })),
  }),
  answers: { 200: graphUsageResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { store: kernel.store, graphUsage },

  async handle({ params, query, ctx, use }) {
    const range = timeRange(query.time_range ?? '30d');
    const period = usagePeriod(range, ctx.now());
    const graph = graphOf(ctx);
    const graphTier = graph.tier;
    const id = params.graph_id;
    return use.store.transaction(
      'kernel',
      async (tx) => {
        const storage = query.include_storage === false ? null : await use.graphUsage.storage(tx, id, period);
        const credits = query.include_credits === false ? null : await use.graphUsage.credits(tx, id, period);
        const speed = query.include_performance === true ? await use.graphUsage.performance(tx, id, period) : null;
        return {
          graph_id: id,
          time_range: range,
          timestamp: ctx.now().toISOString(),
          // Without a measurement there is no average; zeros would be false.
          storage_summary:
            storage && storage.snapshots > 0
              ? {
                  graph_tier: graphTier,
                  avg_storage_gb: gigabytes(storage.average_bytes),
                  max_storage_gb: gigabytes(storage.max_bytes),
                  min_storage_gb: gigabytes(storage.min_bytes),
                  measurement_count: storage.snapshots,
                }
              : null,
          credit_summary: credits && {
            graph_tier: graphTier,
            total_credits_consumed: credits.consumed,
            // No multiplier exists, so the base cost equals the cost.
            total_base_cost: credits.consumed,
            operation_breakdown: credits.operations,
            cached_operations: 0,
            billable_operations: credits.calls,
            transaction_count: credits.transactions,
          },
          performance_insights: speed && {
            analysis_period_days: daysOf(period),
            total_operations: speed.total_operations,
            operation_stats: speed.operation_stats,
            slow_queries: [...speed.slow_queries],
            performance_score: speed.score,
          },
          recent_events: query.include_events === true ? [...(await use.graphUsage.events(tx, id, period))] : [],
        };
      },
      { readOnly: true },
    );
  },
});
