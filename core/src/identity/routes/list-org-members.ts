import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import orgMemberResponse from '../../models/OrgMemberResponse.ts';
import { model } from '../../schema/model.ts';
import { organizations } from '../organizations/organizations.ts';

const orgMemberListResponse = model('OrgMemberListResponse', {
  members: Type.Array(orgMemberResponse),
  total: Type.Integer(),
  org_id: Type.String(),
});

export default defineRoute({
  name: 'list-org-members',
  path: 'GET /v1/orgs/{org_id}/members',
  summary: 'Lists the members of an organization: owner, admins, then members, in the order of joining.',
  openapi: { id: 'list_org_members', tag: 'org_members' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 200: orgMemberListResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { organizations },
  async handle({ params, ctx, use }) {
    const members = await use.organizations.members(ctx.caller, params.org_id);
    return { members, total: members.length, org_id: params.org_id };
  },
});
