import { defineRoute, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { billing } from '../providers.ts';
import { emailIsUnverified, planIsUnknown, providerFails, subscriptionExists } from '../subscriptions/index.ts';

const checkoutResponse = model('CheckoutResponse', {
  checkout_url: Type.Optional(nullable(Type.String())),
  session_id: Type.Optional(nullable(Type.String())),
  subscription_id: Type.Optional(nullable(Type.String())),
  requires_checkout: Type.Optional(Type.Boolean({ default: true })),
  billing_disabled: Type.Optional(Type.Boolean({ default: false })),
});

const createCheckoutRequest = model('CreateCheckoutRequest', {
  plan_name: Type.String(),
  resource_type: Type.String(),
  resource_config: openObject(),
});

export default defineRoute({
  name: 'create-checkout-session',
  path: 'POST /v1/billing/checkout',
  summary: 'Opens a checkout page for the owner to pay for the first graph or repository.',
  openapi: { id: 'create_checkout_session', tag: 'billing' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  body: createCheckoutRequest,
  answers: { 201: checkoutResponse },
  fails: [400, 401, 403, 422, 429, 500],
  failsPlain: [402],
  services: { billing },
  errors: {
    ...providerFails,
    ...planIsUnknown,
    ...subscriptionExists,
    ...emailIsUnverified,
    GRAPH_LIMIT_REACHED: { kind: 'forbidden', meaning: 'The organization has reached its limit of graphs.' },
  },
  async handle({ body, ctx, use }) {
    return use.billing.checkouts.start(ctx.caller, body);
  },
});
