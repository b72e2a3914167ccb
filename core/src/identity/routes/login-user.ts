import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import authResponse from '../../models/AuthResponse.ts';
import { model } from '../../schema/model.ts';
import { accounts } from '../accounts/accounts.ts';
import { passwordsAreOff, tooManyAttempts } from '../accounts/declared-errors.ts';

const loginRequest = model('LoginRequest', {
  email: Type.String(),
  password: Type.String(),
});

export default defineRoute({
  name: 'login-user',
  path: 'POST /v1/auth/login',
  summary: 'Signs in with email and password.',
  openapi: { id: 'login_user', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 5, seconds: 300, per: 'ip' },
  auth: [],
  body: loginRequest,
  answers: { 200: authResponse },
  fails: [400, 401, 422, 429, 500],
  services: { accounts },
  errors: {
    ...passwordsAreOff,
    INVALID_CREDENTIALS: { kind: 'unauthenticated', meaning: 'Email or password is wrong.' },
    ...tooManyAttempts,
  },
  async handle({ body, ctx, use }) {
    return use.accounts.login(body, requestFacts(ctx, 'POST /v1/auth/login'));
  },
});
