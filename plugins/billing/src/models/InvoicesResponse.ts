import { model } from '@pacioli/core';
import { Type } from 'typebox';
import invoice from './Invoice.ts';

export default model('InvoicesResponse', {
  invoices: Type.Array(invoice),
  total_count: Type.Integer(),
  has_more: Type.Boolean(),
});
