import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import orgInvitationResponse from '../../models/OrgInvitationResponse.ts';
import { invitations } from '../invitations/invitations.ts';

export default defineRoute({
  name: 'resend-org-invitation',
  path: 'POST /v1/orgs/{org_id}/invitations/{invitation_id}/resend',
  summary: 'Sends a pending invitation again with a new link; the old one stops working.',
  openapi: { id: 'resend_org_invitation', tag: 'org_members' },
  category: 'user_management',
  auth: ['api-key', 'bearer'],
  answers: { 200: orgInvitationResponse },
  fails: [400, 401, 403, 404, 422, 429, 500, 501],
  services: { invitations },
  errors: {
    INVALID_STATE: { kind: 'conflict', meaning: 'The invitation is not pending.' },
    FEATURE_DISABLED: { kind: 'disabled', meaning: 'Invitations are disabled in this deployment.' },
    EMAIL_NOT_VERIFIED: { kind: 'forbidden', meaning: 'The inviter has not verified their email address.' },
  },
  async handle({ params, ctx, use }) {
    const target = { orgId: params.org_id, invitationId: params.invitation_id };
    return use.invitations.resend(
      ctx.caller,
      target,
      requestFacts(ctx, 'POST /v1/orgs/{org_id}/invitations/{invitation_id}/resend'),
    );
  },
});
