import { Type } from 'typebox';
import { instant, model, nullable, oneOf } from '../schema/model.ts';

export default model('GraphMemberResponse', {
  user_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: oneOf(['admin', 'member', 'viewer']),
  source: oneOf(['explicit', 'org_role']),
  granted_at: Type.Optional(nullable(instant())),
});
