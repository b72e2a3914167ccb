import { model, openModel } from '../schema/model.ts';

export const passwordPolicyResponsePolicy = openModel('PasswordPolicyResponsePolicy');

export default model('PasswordPolicyResponse', {
  policy: passwordPolicyResponsePolicy,
});
