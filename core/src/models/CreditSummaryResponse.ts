import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('CreditSummaryResponse', {
  graph_id: Type.String(),
  graph_tier: Type.String(),
  current_balance: Type.Number(),
  monthly_allocation: Type.Number(),
  consumed_this_month: Type.Number(),
  transaction_count: Type.Integer(),
  usage_percentage: Type.Number(),
  last_allocation_date: Type.Optional(nullable(Type.String())),
});
