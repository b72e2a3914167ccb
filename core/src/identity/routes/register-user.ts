import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import authResponse from '../../models/AuthResponse.ts';
import { model, nullable } from '../../schema/model.ts';
import { accounts } from '../accounts/accounts.ts';
import { emailIsTaken, tooManyAttempts } from '../accounts/declared-errors.ts';

const registerRequest = model('RegisterRequest', {
  name: Type.String(),
  email: Type.String(),
  password: Type.String(),
  captcha_token: Type.Optional(nullable(Type.String())),
  invite_token: Type.Optional(nullable(Type.String())),
});

export default defineRoute({
  name: 'register-user',
  path: 'POST /v1/auth/register',
  summary: 'Creates an account with a personal organization and signs in.',
  openapi: { id: 'register_user', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 3, seconds: 3600, per: 'ip' },
  auth: [],
  body: registerRequest,
  answers: { 201: authResponse },
  fails: [400, 409, 422, 429, 500, 503],
  services: { accounts },
  errors: {
    ...emailIsTaken,
    ...tooManyAttempts,
    REGISTRATION_DISABLED: { kind: 'unavailable', meaning: 'Registration is currently closed.' },
  },
  async handle({ body, ctx, use }) {
    return use.accounts.register(body, requestFacts(ctx, 'POST /v1/auth/register'));
  },
});
