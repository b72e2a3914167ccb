import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import { model, openObject } from '../../schema/model.ts';
import { organizations } from '../organizations/organizations.ts';

const orgLimitsResponse = model('OrgLimitsResponse', {
  org_id: Type.String(),
  max_graphs: Type.Integer(),
  current_usage: openObject(),
  warnings: Type.Array(Type.String()),
  can_create_graph: Type.Boolean(),
});

export default defineRoute({
  name: 'get-org-limits',
  path: 'GET /v1/orgs/{org_id}/limits',
  summary: 'Returns the graph quota of an organization and its use.',
  openapi: { id: 'get_org_limits', tag: 'org_usage' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 200: orgLimitsResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { organizations },
  async handle({ params, ctx, use }) {
    const limits = await use.organizations.limits(ctx.caller, params.org_id);
    const { max_graphs, current_graphs, can_create_graph, warnings } = limits;
    const remaining = max_graphs < 0 ? -1 : Math.max(0, max_graphs - current_graphs);
    const currentUsage = { graphs: { current: current_graphs, limit: max_graphs, remaining } };
    return { org_id: params.org_id, max_graphs, current_usage: currentUsage, warnings, can_create_graph };
  },
});
