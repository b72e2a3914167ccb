import { defineRoute, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { billing } from '../providers.ts';

const checkoutStatusResponse = model('CheckoutStatusResponse', {
  status: Type.String(),
  subscription_id: Type.String(),
  resource_id: Type.Optional(nullable(Type.String())),
  operation_id: Type.Optional(nullable(Type.String())),
  error: Type.Optional(nullable(Type.String())),
});

export default defineRoute({
  name: 'get-checkout-status',
  path: 'GET /v1/billing/checkout/{session_id}/status',
  summary: 'The status of a checkout and of provisioning the purchase.',
  openapi: { id: 'get_checkout_status', tag: 'billing' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  answers: { 200: checkoutStatusResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { billing },
  async handle({ params, ctx, use }) {
    const row = await use.billing.checkouts.status(ctx.caller, params.session_id);
    const steps = ['pending_payment', 'provisioning', 'failed', 'canceled'];
    // Platform B-8: for a checkout, every status after the first activation counts as active.
    const status =
      steps.includes(row.status) && (row.status !== 'canceled' || row.started_at === null) ? row.status : 'active';
    return {
      status,
      subscription_id: row.id,
      resource_id: status === 'active' ? row.resource_id : null,
      operation_id: row.operation_id,
      error: status === 'failed' ? row.error : null,
    };
  },
});
