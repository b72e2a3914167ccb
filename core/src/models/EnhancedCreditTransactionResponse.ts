import { Type } from 'typebox';
import { model, nullable, openObject } from '../schema/model.ts';

export default model('EnhancedCreditTransactionResponse', {
  id: Type.String(),
  type: Type.String(),
  amount: Type.Number(),
  description: Type.String(),
  metadata: openObject(),
  created_at: Type.String(),
  operation_id: Type.Optional(nullable(Type.String())),
  idempotency_key: Type.Optional(nullable(Type.String())),
  request_id: Type.Optional(nullable(Type.String())),
  user_id: Type.Optional(nullable(Type.String())),
});
