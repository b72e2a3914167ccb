import { Type } from 'typebox';
import { model, oneOf } from '../schema/model.ts';

export default model('AddGraphMemberRequest', {
  user_id: Type.String(),
  role: Type.Optional(oneOf(['admin', 'member', 'viewer'])),
});
