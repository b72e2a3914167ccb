import { model, openObject } from '@pacioli/core';
import { Type } from 'typebox';

export default model('PerformanceInsights', {
  analysis_period_days: Type.Integer(),
  total_operations: Type.Integer(),
  operation_stats: openObject(),
  slow_queries: Type.Array(openObject()),
  performance_score: Type.Integer(),
});
