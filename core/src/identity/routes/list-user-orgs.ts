import { defineRoute } from '../../define/route.ts';
import orgListResponse from '../../models/OrgListResponse.ts';
import { organizations } from '../organizations/organizations.ts';

export default defineRoute({
  name: 'list-user-orgs',
  path: 'GET /v1/orgs',
  summary: 'Returns the organization of the caller, as a list of one or none.',
  openapi: { id: 'list_user_orgs', tag: 'org' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 200: orgListResponse },
  fails: [400, 401, 403, 429, 500],
  services: { organizations },
  async handle({ ctx, use }) {
    const rows = await use.organizations.list(ctx.caller);
    const orgs = rows.map(({ id, name, org_type, role, member_count, graph_count, created_at, joined_at }) => ({
      id,
      name,
      org_type,
      role,
      member_count,
      graph_count,
      created_at: created_at.toISOString(),
      joined_at: joined_at.toISOString(),
    }));
    return { orgs, total: orgs.length };
  },
});
