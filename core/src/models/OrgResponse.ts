import { Type } from 'typebox';
import { instant, model, oneOf } from '../schema/model.ts';

export default model('OrgResponse', {
  id: Type.String(),
  name: Type.String(),
  org_type: oneOf(['enterprise', 'personal', 'team']),
  role: oneOf(['admin', 'member', 'owner']),
  member_count: Type.Integer(),
  graph_count: Type.Integer(),
  created_at: instant(),
  joined_at: instant(),
});
