import { model, openObject } from '@pacioli/core';
import { Type } from 'typebox';

export default model('CreditSummary', {
  graph_tier: Type.String(),
  total_credits_consumed: Type.Number(),
  total_base_cost: Type.Number(),
  operation_breakdown: openObject(),
  cached_operations: Type.Integer(),
  billable_operations: Type.Integer(),
  transaction_count: Type.Integer(),
});
