import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import invoiceLineItem from './InvoiceLineItem.ts';

export default model('UpcomingInvoice', {
  amount_due: Type.Integer(),
  currency: Type.String(),
  period_start: Type.String(),
  period_end: Type.String(),
  line_items: Type.Array(invoiceLineItem),
  subscription_id: Type.Optional(nullable(Type.String())),
});
