import { Type } from 'typebox';
import { instant, model, nullable, oneOf, openObject } from '../schema/model.ts';

export default model('OrgDetailResponse', {
  id: Type.String(),
  name: Type.String(),
  org_type: oneOf(['enterprise', 'personal', 'team']),
  user_role: oneOf(['admin', 'member', 'owner']),
  members: Type.Array(openObject()),
  graphs: Type.Array(openObject()),
  limits: nullable(openObject()),
  created_at: instant(),
  updated_at: instant(),
});
