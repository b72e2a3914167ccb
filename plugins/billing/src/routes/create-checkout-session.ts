import { defineRoute } from '@pacioli/core';
import checkoutResponse from '../models/CheckoutResponse.ts';
import createCheckoutRequest from '../models/CreateCheckoutRequest.ts';
import { checkouts } from '../tokens.ts';

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
  services: { checkouts },
  async handle({ body, ctx, use }) {
    return use.checkouts.start(ctx.caller, body);
  },
});
