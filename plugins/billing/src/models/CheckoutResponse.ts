import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export default model('CheckoutResponse', {
  checkout_url: Type.Optional(nullable(Type.String())),
  session_id: Type.Optional(nullable(Type.String())),
  subscription_id: Type.Optional(nullable(Type.String())),
  requires_checkout: Type.Optional(Type.Boolean({ default: true })),
  billing_disabled: Type.Optional(Type.Boolean({ default: false })),
});
