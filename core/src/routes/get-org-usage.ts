import { Type } from 'typebox';
import { orgUsage } from '../credits/org-usage.ts';
import { defineRoute } from '../define/route.ts';
import { instant, model, nullable, openObject } from '../schema/model.ts';

const orgUsageSummary = model('OrgUsageSummary', {
  total_credits_used: Type.Number(),
  total_ai_operations: Type.Integer(),
  total_storage_gb: Type.Number(),
  daily_avg_credits: Type.Number(),
  projected_monthly_credits: Type.Number(),
  credits_limit: nullable(Type.Integer()),
  storage_limit_gb: nullable(Type.Integer()),
});

const orgUsageResponse = model('OrgUsageResponse', {
  org_id: Type.String(),
  period_days: Type.Integer(),
  start_date: instant(),
  end_date: instant(),
  summary: orgUsageSummary,
  graph_details: Type.Array(openObject()),
  daily_trend: Type.Array(openObject()),
});

export default defineRoute({
  name: 'get-org-usage',
  path: 'GET /v1/orgs/{org_id}/usage',
  summary: 'Returns the credits, model runs and storage of all graphs of an organization over a number of days.',
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
