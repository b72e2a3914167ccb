import { model } from '@pacioli/core';
import { Type } from 'typebox';
import creditSummaryOperationBreakdown from './CreditSummaryOperationBreakdown.ts';

export default model('CreditSummary', {
  graph_tier: Type.String(),
  total_credits_consumed: Type.Number(),
  total_base_cost: Type.Number(),
  operation_breakdown: creditSummaryOperationBreakdown,
  cached_operations: Type.Integer(),
  billable_operations: Type.Integer(),
  transaction_count: Type.Integer(),
});
