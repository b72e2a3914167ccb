import { Type } from 'typebox';
import { instant, model, nullable, oneOf, openModel } from '../schema/model.ts';

export const orgDetailResponseGraphsItem = openModel('OrgDetailResponseGraphsItem');

export const orgDetailResponseLimitsType0 = openModel('OrgDetailResponseLimitsType0');

export const orgDetailResponseMembersItem = openModel('OrgDetailResponseMembersItem');

export default model('OrgDetailResponse', {
  id: Type.String(),
  name: Type.String(),
  org_type: oneOf(['enterprise', 'personal', 'team']),
  user_role: oneOf(['admin', 'member', 'owner']),
  members: Type.Array(orgDetailResponseMembersItem),
  graphs: Type.Array(orgDetailResponseGraphsItem),
  limits: nullable(orgDetailResponseLimitsType0),
  created_at: instant(),
  updated_at: instant(),
});
