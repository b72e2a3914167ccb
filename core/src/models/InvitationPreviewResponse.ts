import { Type } from 'typebox';
import { instant, model, oneOf } from '../schema/model.ts';

export default model('InvitationPreviewResponse', {
  org_name: Type.String(),
  email: Type.String(),
  role: oneOf(['admin', 'member', 'owner']),
  expires_at: instant(),
});
