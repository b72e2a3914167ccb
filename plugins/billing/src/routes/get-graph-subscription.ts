import { defineRoute } from '@pacioli/core';
import graphSubscriptionResponse from '../models/GraphSubscriptionResponse.ts';
import { billing } from '../providers.ts';

export default defineRoute({
  name: 'get-graph-subscription',
  path: 'GET /v1/graphs/{graph_id}/subscriptions',
  summary: 'The subscription of a graph, or of the caller to a shared repository.',
  openapi: { id: 'get_graph_subscription', tag: 'subscriptions' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  answers: { 200: graphSubscriptionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { billing },
  async handle({ params, ctx, use }) {
    return use.billing.subscriptionReads.toResponse(
      await use.billing.subscriptionReads.ofResource(ctx.caller, params.graph_id),
    );
  },
});
