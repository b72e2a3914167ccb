import { defineRoute } from '../../define/route.ts';
import orgDetailResponse from '../../models/OrgDetailResponse.ts';
import { organizations, orgDetailOf } from '../organizations/organizations.ts';

export default defineRoute({
  name: 'get-org',
  path: 'GET /v1/orgs/{org_id}',
  summary: 'Returns an organization with its members, graphs and limits.',
  openapi: { id: 'get_org', tag: 'org' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 200: orgDetailResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { organizations },
  async handle({ params, ctx, use }) {
    return orgDetailOf(await use.organizations.find(ctx.caller, params.org_id));
  },
});
