import { model, oneOf } from '../schema/model.ts';

export default model('UpdateGraphMemberRoleRequest', {
  role: oneOf(['admin', 'member', 'viewer']),
});
