import { defineRoute } from '@pacioli/core';
import cancelSubscriptionRequest from '../models/CancelSubscriptionRequest.ts';
import graphSubscriptionResponse from '../models/GraphSubscriptionResponse.ts';
import { billing } from '../providers.ts';
import { providerFails } from '../subscriptions/index.ts';

export default defineRoute({
  name: 'cancel-repository-subscription',
  path: 'POST /v1/graphs/{graph_id}/subscriptions/cancel',
  summary: 'Cancels a repository subscription at the end of its period or immediately.',
  openapi: { id: 'cancel_repository_subscription', tag: 'subscriptions' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  body: cancelSubscriptionRequest,
  bodyRequired: false,
  answers: { 200: graphSubscriptionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { billing },
  errors: providerFails,
  async precheck({ params, ctx, use }) {
    await use.billing.repositorySubscriptions.requireRepositoryOrOwnGraph(ctx.caller, params.graph_id);
  },
  async handle({ params, body, ctx, use }) {
    return use.billing.subscriptionReads.toResponse(
      await use.billing.repositorySubscriptions.cancel(ctx.caller, params.graph_id, body),
    );
  },
});
