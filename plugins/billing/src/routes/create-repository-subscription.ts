import { defineRoute, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import graphSubscriptionResponse from '../models/GraphSubscriptionResponse.ts';
import { billing } from '../providers.ts';
import { emailIsUnverified, planIsUnknown, providerFails, subscriptionExists } from '../subscriptions/index.ts';

const createRepositorySubscriptionRequest = model('CreateRepositorySubscriptionRequest', {
  plan_name: Type.String(),
  user_id: Type.Optional(nullable(Type.String())),
});

export default defineRoute({
  name: 'create-repository-subscription',
  path: 'POST /v1/graphs/{graph_id}/subscriptions',
  summary: 'Subscribes one user to a shared repository; the organization pays.',
  openapi: { id: 'create_repository_subscription', tag: 'subscriptions' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  body: createRepositorySubscriptionRequest,
  answers: { 201: graphSubscriptionResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  failsPlain: [402, 409],
  services: { billing },
  errors: { ...providerFails, ...planIsUnknown, ...subscriptionExists, ...emailIsUnverified },
  async precheck({ params, ctx, use }) {
    await use.billing.repositorySubscriptions.requireRepositoryOrOwnGraph(ctx.caller, params.graph_id);
  },
  async handle({ params, body, ctx, use }) {
    return use.billing.subscriptionReads.toResponse(
      await use.billing.repositorySubscriptions.subscribe(ctx.caller, params.graph_id, body),
    );
  },
});
