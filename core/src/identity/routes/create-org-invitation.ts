import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import orgInvitationResponse from '../../models/OrgInvitationResponse.ts';
import { model, oneOf } from '../../schema/model.ts';
import { invitations } from '../invitations/invitations.ts';

const createInvitationRequest = model('CreateInvitationRequest', {
  email: Type.String(),
  role: Type.Optional(oneOf(['admin', 'member', 'owner'])),
});

export default defineRoute({
  name: 'create-org-invitation',
  path: 'POST /v1/orgs/{org_id}/invitations',
  summary: 'Invites a person without an account by email.',
  openapi: { id: 'create_org_invitation', tag: 'org_members' },
  category: 'user_management',
  body: createInvitationRequest,
  auth: ['api-key', 'bearer'],
  answers: { 201: orgInvitationResponse },
  fails: [400, 401, 403, 404, 409, 422, 429, 500, 501],
  services: { invitations },
  errors: {
    ALREADY_EXISTS: { kind: 'conflict', meaning: 'The address has an account, or a pending invitation.' },
    CONFLICT: { kind: 'conflict', meaning: 'The organization has as many pending invitations as are allowed.' },
    FEATURE_DISABLED: { kind: 'disabled', meaning: 'Invitations are disabled in this deployment.' },
    EMAIL_NOT_VERIFIED: { kind: 'forbidden', meaning: 'The inviter has not verified their email address.' },
  },
  async handle({ params, body, ctx, use }) {
    const input = { orgId: params.org_id, email: body.email, role: body.role };
    return use.invitations.create(ctx.caller, input, requestFacts(ctx, 'POST /v1/orgs/{org_id}/invitations'));
  },
});
