import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import invoiceLineItem from './InvoiceLineItem.ts';

export default model('Invoice', {
  id: Type.String(),
  status: Type.String(),
  amount_due: Type.Integer(),
  amount_paid: Type.Integer(),
  currency: Type.String(),
  created: Type.String(),
  line_items: Type.Array(invoiceLineItem),
  number: Type.Optional(nullable(Type.String())),
  due_date: Type.Optional(nullable(Type.String())),
  paid_at: Type.Optional(nullable(Type.String())),
  invoice_pdf: Type.Optional(nullable(Type.String())),
  hosted_invoice_url: Type.Optional(nullable(Type.String())),
  subscription_id: Type.Optional(nullable(Type.String())),
});
