import { model, openObject } from '../schema/model.ts';

export default model('PasswordPolicyResponse', {
  policy: openObject(),
});
