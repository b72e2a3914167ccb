import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('OrgUsageSummary', {
  total_credits_used: Type.Number(),
  total_ai_operations: Type.Integer(),
  total_storage_gb: Type.Number(),
  daily_avg_credits: Type.Number(),
  projected_monthly_credits: Type.Number(),
  credits_limit: nullable(Type.Integer()),
  storage_limit_gb: nullable(Type.Integer()),
});
