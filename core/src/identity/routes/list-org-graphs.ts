import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import { openObject } from '../../schema/model.ts';
import { organizations } from '../organizations/organizations.ts';

export default defineRoute({
  name: 'list-org-graphs',
  path: 'GET /v1/orgs/{org_id}/graphs',
  summary: 'Lists the graphs of an organization on which the caller has a role.',
  openapi: { id: 'list_org_graphs', tag: 'org' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 200: Type.Array(openObject()) },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { organizations },
  async handle({ params, ctx, use }) {
    return use.organizations.graphs(ctx.caller, params.org_id);
  },
});
