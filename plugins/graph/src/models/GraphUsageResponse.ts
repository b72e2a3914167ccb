import { model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import creditSummary from './CreditSummary.ts';
import performanceInsights from './PerformanceInsights.ts';
import storageSummary from './StorageSummary.ts';

export default model('GraphUsageResponse', {
  graph_id: Type.String(),
  time_range: Type.String(),
  timestamp: Type.String(),
  storage_summary: Type.Optional(nullable(storageSummary)),
  credit_summary: Type.Optional(nullable(creditSummary)),
  performance_insights: Type.Optional(nullable(performanceInsights)),
  recent_events: Type.Optional(Type.Array(openObject())),
});
