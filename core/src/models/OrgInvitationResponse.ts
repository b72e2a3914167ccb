import { Type } from 'typebox';
import { instant, model, nullable, oneOf } from '../schema/model.ts';

export default model('OrgInvitationResponse', {
  id: Type.String(),
  org_id: Type.String(),
  email: Type.String(),
  role: oneOf(['admin', 'member', 'owner']),
  status: Type.String(),
  invited_by_user_id: Type.String(),
  invited_by_name: nullable(Type.String()),
  created_at: instant(),
  expires_at: instant(),
  is_expired: Type.Boolean(),
  token: Type.Optional(nullable(Type.String())),
});
