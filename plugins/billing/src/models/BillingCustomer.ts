import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

const paymentMethod = model('PaymentMethod', {
  id: Type.String(),
  type: Type.String(),
  is_default: Type.Boolean(),
  brand: Type.Optional(nullable(Type.String())),
  last4: Type.Optional(nullable(Type.String())),
  exp_month: Type.Optional(nullable(Type.Integer())),
  exp_year: Type.Optional(nullable(Type.Integer())),
});

export default model('BillingCustomer', {
  org_id: Type.String(),
  has_payment_method: Type.Boolean(),
  invoice_billing_enabled: Type.Boolean(),
  payment_methods: Type.Array(paymentMethod),
  created_at: Type.String(),
  stripe_customer_id: Type.Optional(nullable(Type.String())),
});
