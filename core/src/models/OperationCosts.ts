import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import operationCostsAiOperations from './OperationCostsAiOperations.ts';
import operationCostsTokenPricing from './OperationCostsTokenPricing.ts';

export default model('OperationCosts', {
  description: Type.String(),
  ai_operations: operationCostsAiOperations,
  token_pricing: operationCostsTokenPricing,
  included_operations: Type.Array(Type.String()),
  notes: Type.Array(Type.String()),
});
