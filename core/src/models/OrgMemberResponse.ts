import { Type } from 'typebox';
import { instant, model, oneOf } from '../schema/model.ts';

export default model('OrgMemberResponse', {
  user_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: oneOf(['admin', 'member', 'owner']),
  joined_at: instant(),
  is_active: Type.Boolean(),
});
