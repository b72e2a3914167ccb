import { defineRoute } from '@pacioli/core';
import graphSubscriptionResponse from '../models/GraphSubscriptionResponse.ts';
import { subscriptionReads } from '../tokens.ts';

export default defineRoute({
  name: 'get-graph-subscription',
  path: 'GET /v1/graphs/{graph_id}/subscriptions',
  summary: 'The subscription of a graph, or of the caller to a shared repository.',
  openapi: { id: 'get_graph_subscription', tag: 'subscriptions' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  answers: { 200: graphSubscriptionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { subscriptionReads },
  async handle({ params, ctx, use }) {
    return use.subscriptionReads.toResponse(await use.subscriptionReads.ofResource(ctx.caller, params.graph_id));
  },
});
