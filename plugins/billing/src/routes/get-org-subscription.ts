import { defineRoute } from '@pacioli/core';
import graphSubscriptionResponse from '../models/GraphSubscriptionResponse.ts';
import { billing } from '../providers.ts';

export default defineRoute({
  name: 'get-org-subscription',
  path: 'GET /v1/billing/subscriptions/{org_id}/subscription/{subscription_id}',
  summary: 'One subscription of an organization.',
  openapi: { id: 'get_org_subscription', tag: 'billing' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  answers: { 200: graphSubscriptionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { billing },
  async handle({ params, ctx, use }) {
    const row = await use.billing.subscriptionReads.find(ctx.caller, params.org_id, params.subscription_id);
    return use.billing.subscriptionReads.toResponse(row);
  },
});
