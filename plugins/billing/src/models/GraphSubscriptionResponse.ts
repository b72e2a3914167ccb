import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('GraphSubscriptionResponse', {
  id: Type.String(),
  resource_type: Type.String(),
  resource_id: Type.String(),
  plan_name: Type.String(),
  plan_display_name: Type.String(),
  billing_interval: Type.String(),
  status: Type.String(),
  base_price_cents: Type.Integer(),
  created_at: Type.String(),
  user_id: Type.Optional(nullable(Type.String())),
  current_period_start: Type.Optional(nullable(Type.String())),
  current_period_end: Type.Optional(nullable(Type.String())),
  started_at: Type.Optional(nullable(Type.String())),
  canceled_at: Type.Optional(nullable(Type.String())),
  ends_at: Type.Optional(nullable(Type.String())),
  operation_id: Type.Optional(nullable(Type.String())),
});
