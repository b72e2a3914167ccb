import { Type } from 'typebox';
import { model, nullable } from '../schema/model.ts';
import graphTierInstance from './GraphTierInstance.ts';
import graphTierLimits from './GraphTierLimits.ts';

export default model('GraphTierInfo', {
  tier: Type.String(),
  name: Type.String(),
  display_name: Type.String(),
  description: Type.String(),
  backend: Type.String(),
  enabled: Type.Boolean(),
  max_subgraphs: nullable(Type.Integer()),
  monthly_credits: Type.Integer(),
  api_rate_multiplier: Type.Number(),
  features: Type.Array(Type.String()),
  instance: graphTierInstance,
  limits: graphTierLimits,
  monthly_price: Type.Optional(nullable(Type.Number())),
});
