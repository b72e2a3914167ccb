import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('PaymentMethod', {
  id: Type.String(),
  type: Type.String(),
  is_default: Type.Boolean(),
  brand: Type.Optional(nullable(Type.String())),
  last4: Type.Optional(nullable(Type.String())),
  exp_month: Type.Optional(nullable(Type.Integer())),
  exp_year: Type.Optional(nullable(Type.Integer())),
});
