import { defineRoute } from '@pacioli/core';
import cancelSubscriptionRequest from '../models/CancelSubscriptionRequest.ts';
import graphSubscriptionResponse from '../models/GraphSubscriptionResponse.ts';
import { billing } from '../providers.ts';
import { providerFails } from '../subscriptions/index.ts';

export default defineRoute({
  name: 'cancel-org-subscription',
  path: 'POST /v1/billing/subscriptions/{org_id}/subscription/{subscription_id}/cancel',
  summary: 'Cancels a subscription at the end of its period or immediately.',
  openapi: { id: 'cancel_org_subscription', tag: 'billing' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  body: cancelSubscriptionRequest,
  bodyRequired: false,
  answers: { 200: graphSubscriptionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { billing },
  errors: providerFails,
  async handle({ params, body, ctx, use }) {
    const row = await use.billing.subscriptionReads.findAsOwner(ctx.caller, params.org_id, params.subscription_id);
    const ended = await use.billing.cancellations.cancel(row, body, { type: 'user', id: ctx.caller.userId });
    return use.billing.subscriptionReads.toResponse(ended);
  },
});
