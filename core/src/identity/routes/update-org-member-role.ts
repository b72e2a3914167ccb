import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import orgMemberResponse from '../../models/OrgMemberResponse.ts';
import { model, oneOf } from '../../schema/model.ts';
import { orgMembers } from '../organizations/org-members.ts';

const updateMemberRoleRequest = model('UpdateMemberRoleRequest', {
  role: oneOf(['admin', 'member', 'owner']),
});

export default defineRoute({
  name: 'update-org-member-role',
  path: 'PUT /v1/orgs/{org_id}/members/{user_id}',
  summary: 'Makes a member of an organization an admin, or an admin a member.',
  openapi: { id: 'update_org_member_role', tag: 'org_members' },
  category: 'user_management',
  body: updateMemberRoleRequest,
  auth: ['api-key', 'bearer'],
  answers: { 200: orgMemberResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { orgMembers },
  async handle({ params, body, ctx, use }) {
    const target = { orgId: params.org_id, userId: params.user_id, role: body.role };
    return use.orgMembers.changeRole(ctx.caller, target, requestFacts(ctx, 'PUT /v1/orgs/{org_id}/members/{user_id}'));
  },
});
