import { Type } from 'typebox';
import { mapOf, model, nullable } from '../schema/model.ts';

export default model('OfferingRepositoryPlan', {
  plan: Type.String(),
  name: Type.String(),
  monthly_price: Type.Number(),
  monthly_credits: Type.Integer(),
  access_level: Type.String(),
  features: Type.Array(Type.String()),
  rate_limits: Type.Optional(nullable(mapOf(nullable(Type.Integer())))),
});
