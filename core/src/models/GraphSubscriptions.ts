import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import graphSubscriptionTier from './GraphSubscriptionTier.ts';

export default model('GraphSubscriptions', {
  description: Type.String(),
  pricing_model: Type.String(),
  tiers: Type.Array(graphSubscriptionTier),
  notes: Type.Array(Type.String()),
});
