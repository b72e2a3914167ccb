import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import { invitations } from '../invitations/invitations.ts';

export default defineRoute({
  name: 'revoke-org-invitation',
  path: 'DELETE /v1/orgs/{org_id}/invitations/{invitation_id}',
  summary: 'Revokes a pending invitation.',
  openapi: { id: 'revoke_org_invitation', tag: 'org_members' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 204: null },
  fails: [400, 401, 403, 404, 422, 429, 500],
  services: { invitations },
  errors: { INVALID_STATE: { kind: 'conflict', meaning: 'The invitation is not pending.' } },
  async handle({ params, ctx, use }) {
    const target = { orgId: params.org_id, invitationId: params.invitation_id };
    await use.invitations.revoke(
      ctx.caller,
      target,
      requestFacts(ctx, 'DELETE /v1/orgs/{org_id}/invitations/{invitation_id}'),
    );
  },
});
