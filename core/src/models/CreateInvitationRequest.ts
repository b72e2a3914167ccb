import { Type } from 'typebox';
import { model, oneOf } from '../schema/model.ts';

export default model('CreateInvitationRequest', {
  email: Type.String(),
  role: Type.Optional(oneOf(['admin', 'member', 'owner'])),
});
