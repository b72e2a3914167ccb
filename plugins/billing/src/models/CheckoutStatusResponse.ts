import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('CheckoutStatusResponse', {
  status: Type.String(),
  subscription_id: Type.String(),
  resource_id: Type.Optional(nullable(Type.String())),
  operation_id: Type.Optional(nullable(Type.String())),
  error: Type.Optional(nullable(Type.String())),
});
