import { defineRoute, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import graphSubscriptionResponse from '../models/GraphSubscriptionResponse.ts';
import { billing } from '../providers.ts';
import { planIsUnknown, providerFails } from '../subscriptions/index.ts';

const upgradeSubscriptionRequest = model('UpgradeSubscriptionRequest', {
  new_plan_name: Type.String(),
  user_id: Type.Optional(nullable(Type.String())),
});

export default defineRoute({
  name: 'change-subscription-plan',
  path: 'PATCH /v1/graphs/{graph_id}/subscriptions',
  summary: 'Changes the plan of a repository subscription immediately; graphs use change-tier instead.',
  openapi: { id: 'change_subscription_plan', tag: 'subscriptions' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  body: upgradeSubscriptionRequest,
  answers: { 200: graphSubscriptionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { billing },
  // A graph passes this check; `changePlan` then responds 400 and names change-tier (platform B-14).
  errors: { ...planIsUnknown, ...providerFails },
  async precheck({ params, ctx, use }) {
    await use.billing.repositorySubscriptions.requireRepositoryOrOwnGraph(ctx.caller, params.graph_id);
  },
  async handle({ params, body, ctx, use }) {
    return use.billing.subscriptionReads.toResponse(
      await use.billing.repositorySubscriptions.changePlan(ctx.caller, params.graph_id, body),
    );
  },
});
