import { Type } from 'typebox';
import { mapOf, model } from '../schema/model.ts';
import tokenPricing from './TokenPricing.ts';

export default model('OperationCosts', {
  description: Type.String(),
  ai_operations: mapOf(Type.Number()),
  token_pricing: mapOf(tokenPricing),
  included_operations: Type.Array(Type.String()),
  notes: Type.Array(Type.String()),
});
