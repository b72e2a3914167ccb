import { defineRoute } from '../../define/route.ts';
import { model, openObject } from '../../schema/model.ts';
import { passwordPolicy } from '../accounts/password-policy.ts';

const passwordPolicyResponse = model('PasswordPolicyResponse', {
  policy: openObject(),
});

export default defineRoute({
  name: 'get-password-policy',
  path: 'GET /v1/auth/password/policy',
  summary: 'Returns the password policy.',
  openapi: { id: 'get_password_policy', tag: 'auth' },
  category: 'auth',
  auth: [],
  answers: { 200: passwordPolicyResponse },
  fails: [400, 429, 500],
  async handle() {
    return { policy: { ...passwordPolicy } };
  },
});
