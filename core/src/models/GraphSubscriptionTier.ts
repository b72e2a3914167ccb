import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';

export default model('GraphSubscriptionTier', {
  name: Type.String(),
  display_name: Type.String(),
  description: Type.String(),
  monthly_price_per_graph: Type.Number(),
  monthly_credits_per_graph: Type.Integer(),
  infrastructure: Type.String(),
  features: Type.Array(Type.String()),
  backup_retention_days: Type.Integer(),
  priority_support: Type.Boolean(),
  api_rate_multiplier: Type.Number(),
  backend: Type.String(),
  max_subgraphs: Type.Optional(Type.Integer({ default: 0 })),
  instance_type: Type.Optional(nullable(Type.String())),
  instance_storage_limit_gb: Type.Optional(Type.Number({ default: 0.0 })),
});
