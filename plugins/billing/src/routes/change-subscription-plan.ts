import { defineRoute } from '@pacioli/core';
import graphSubscriptionResponse from '../models/GraphSubscriptionResponse.ts';
import upgradeSubscriptionRequest from '../models/UpgradeSubscriptionRequest.ts';
import { repositorySubscriptions, subscriptionReads } from '../tokens.ts';

export default defineRoute({
  name: 'change-subscription-plan',
  path: 'PATCH /v1/graphs/{graph_id}/subscriptions',
  summary: 'Changes the plan of a repository subscription immediately.',
  openapi: { id: 'change_subscription_plan', tag: 'subscriptions' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  body: upgradeSubscriptionRequest,
  answers: { 200: graphSubscriptionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { repositorySubscriptions, subscriptionReads },
  async precheck({ params, ctx, use }) {
    await use.repositorySubscriptions.requireReachable(ctx.caller, params.graph_id);
  },
  async handle({ params, body, ctx, use }) {
    return use.subscriptionReads.wire(await use.repositorySubscriptions.changePlan(ctx.caller, params.graph_id, body));
  },
});
