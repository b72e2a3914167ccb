import { defineRoute } from '../../define/route.ts';
import passwordCheckRequest from '../../models/PasswordCheckRequest.ts';
import passwordCheckResponse from '../../models/PasswordCheckResponse.ts';
import { accounts } from '../accounts/accounts.ts';

export default defineRoute({
  name: 'check-password-strength',
  path: 'POST /v1/auth/password/check',
  summary: 'Rates a password and lists its weaknesses. Nothing is stored.',
  openapi: { id: 'check_password_strength', tag: 'auth' },
  category: 'auth',
  auth: [],
  body: passwordCheckRequest,
  answers: { 200: passwordCheckResponse },
  fails: [400, 422, 429, 500],
  services: { accounts },
  async handle({ body, use }) {
    return use.accounts.judge(body.password, body.email);
  },
});
