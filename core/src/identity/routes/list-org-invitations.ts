import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import orgInvitationResponse from '../../models/OrgInvitationResponse.ts';
import { model } from '../../schema/model.ts';
import { invitations } from '../invitations/invitations.ts';

const orgInvitationListResponse = model('OrgInvitationListResponse', {
  invitations: Type.Array(orgInvitationResponse),
  total: Type.Integer(),
  org_id: Type.String(),
});

export default defineRoute({
  name: 'list-org-invitations',
  path: 'GET /v1/orgs/{org_id}/invitations',
  summary: 'Lists the pending invitations of an organization, newest first.',
  openapi: { id: 'list_org_invitations', tag: 'org_members' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 200: orgInvitationListResponse },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { invitations },
  async handle({ params, ctx, use }) {
    const pending = await use.invitations.list(ctx.caller, params.org_id);
    return { invitations: pending, total: pending.length, org_id: params.org_id };
  },
});
