import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('InvoiceLineItem', {
  description: Type.String(),
  amount: Type.Integer(),
  quantity: Type.Integer(),
  period_start: Type.Optional(nullable(Type.String())),
  period_end: Type.Optional(nullable(Type.String())),
});
