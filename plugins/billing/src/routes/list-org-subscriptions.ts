import { defineRoute } from '@pacioli/core';
import { Type } from 'typebox';
import graphSubscriptionResponse from '../models/GraphSubscriptionResponse.ts';
import { billing } from '../providers.ts';

export default defineRoute({
  name: 'list-org-subscriptions',
  path: 'GET /v1/billing/subscriptions/{org_id}',
  summary: 'The subscriptions of an organization, newest first.',
  openapi: { id: 'list_org_subscriptions', tag: 'billing' },
  category: 'billing',
  auth: ['api-key', 'bearer'],
  answers: { 200: Type.Array(graphSubscriptionResponse) },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { billing },
  async handle({ params, ctx, use }) {
    return use.billing.subscriptionReads.list(ctx.caller, params.org_id);
  },
});
