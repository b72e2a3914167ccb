import { model, oneOf } from '../schema/model.ts';

export default model('UpdateMemberRoleRequest', {
  role: oneOf(['admin', 'member', 'owner']),
});
