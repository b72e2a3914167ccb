import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import orgMemberResponse from './OrgMemberResponse.ts';

export default model('OrgMemberListResponse', {
  members: Type.Array(orgMemberResponse),
  total: Type.Integer(),
  org_id: Type.String(),
});
