import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import paymentMethod from './PaymentMethod.ts';

export default model('BillingCustomer', {
  org_id: Type.String(),
  has_payment_method: Type.Boolean(),
  invoice_billing_enabled: Type.Boolean(),
  payment_methods: Type.Array(paymentMethod),
  created_at: Type.String(),
  stripe_customer_id: Type.Optional(nullable(Type.String())),
});
