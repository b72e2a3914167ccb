import { anything, model, nullable, oneOf } from '@pacioli/core';
import { Type } from 'typebox';

export default model('OperationEnvelope', {
  operation: Type.String(),
  operationId: Type.String(),
  status: oneOf(['completed', 'failed', 'pending']),
  at: Type.String(),
  result: Type.Optional(anything()),
  createdBy: Type.Optional(nullable(Type.String())),
  idempotentReplay: Type.Optional(Type.Boolean({ default: false })),
});
