import { Type } from 'typebox';
import { model } from '../schema/model.ts';
import orgInvitationResponse from './OrgInvitationResponse.ts';

export default model('OrgInvitationListResponse', {
  invitations: Type.Array(orgInvitationResponse),
  total: Type.Integer(),
  org_id: Type.String(),
});
