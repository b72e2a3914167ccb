import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import { instant, model, oneOf } from '../../schema/model.ts';
import { invitations } from '../invitations/invitations.ts';

const invitationPreviewResponse = model('InvitationPreviewResponse', {
  org_name: Type.String(),
  email: Type.String(),
  role: oneOf(['admin', 'member', 'owner']),
  expires_at: instant(),
});

export default defineRoute({
  name: 'get-invitation-preview',
  path: 'GET /v1/auth/invitations/{token}',
  summary: 'Returns the organization, address and role of an invitation link.',
  openapi: { id: 'get_invitation_preview', tag: 'auth' },
  category: 'auth',
  // The route is public, so the limit slows down guessing tokens (platform U-22).
  limit: { maxCalls: 60, seconds: 60, per: 'ip' },
  auth: [],
  answers: { 200: invitationPreviewResponse },
  fails: [400, 422, 429, 500],
  services: { invitations },
  async handle({ params, use }) {
    return use.invitations.preview(params.token);
  },
});
