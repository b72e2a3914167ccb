import { defineRoute } from '@pacioli/core';
import graphSubscriptionResponse from '../models/GraphSubscriptionResponse.ts';
import { subscriptionReads } from '../tokens.ts';

export default defineRoute({
  name: 'get-org-subscription',
  path: 'GET /v1/billing/subscriptions/{org_id}/subscription/{subscription_id}',
  summary: 'One subscription of an organization.',
  openapi: { id: 'get_org_subscription', tag: 'billing' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  answers: { 200: graphSubscriptionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { subscriptionReads },
  async handle({ params, ctx, use }) {
    const row = await use.subscriptionReads.find(ctx.caller, params.org_id, params.subscription_id);
    return use.subscriptionReads.toResponse(row);
  },
});
