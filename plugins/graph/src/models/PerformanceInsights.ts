import { model } from '@pacioli/core';
import { Type } from 'typebox';
import performanceInsightsOperationStats from './PerformanceInsightsOperationStats.ts';
import performanceInsightsSlowQueriesItem from './PerformanceInsightsSlowQueriesItem.ts';

export default model('PerformanceInsights', {
  analysis_period_days: Type.Integer(),
  total_operations: Type.Integer(),
  operation_stats: performanceInsightsOperationStats,
  slow_queries: Type.Array(performanceInsightsSlowQueriesItem),
  performance_score: Type.Integer(),
});
