import { Type } from 'typebox';
import { defineRoute } from '../define/route.ts';
import orgUsageResponse from '../models/OrgUsageResponse.ts';
import { model } from '../schema/model.ts';
import { orgUsage } from '../usage/org-usage.ts';

export default defineRoute({
  name: 'get-org-usage',
  path: 'GET /v1/orgs/{org_id}/usage',
  summary: 'Returns the credits, model runs and storage of all graphs of an organization over the last days.',
  openapi: { id: 'get_org_usage', tag: 'org_usage' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  query: model('OrgUsageQuery', { days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, default: 30 })) }),
  answers: { 200: orgUsageResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { orgUsage },
  async handle({ params, query, ctx, use }) {
    return use.orgUsage.read(ctx.caller, params.org_id, query.days ?? 30);
  },
});
