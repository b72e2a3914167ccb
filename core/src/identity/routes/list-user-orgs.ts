import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import { instant, model, oneOf } from '../../schema/model.ts';
import { organizations } from '../organizations/organizations.ts';

const orgResponse = model('OrgResponse', {
  id: Type.String(),
  name: Type.String(),
  org_type: oneOf(['enterprise', 'personal', 'team']),
  role: oneOf(['admin', 'member', 'owner']),
  member_count: Type.Integer(),
  graph_count: Type.Integer(),
  created_at: instant(),
  joined_at: instant(),
});

const orgListResponse = model('OrgListResponse', {
  orgs: Type.Array(orgResponse),
  total: Type.Integer(),
});

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
