import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import authResponse from '../../models/AuthResponse.ts';
import { model } from '../../schema/model.ts';
import { passwordsAreOff, tooManyAttempts } from '../accounts/declared-errors.ts';
import { passwordReset } from '../accounts/password-reset.ts';

const resetPasswordRequest = model('ResetPasswordRequest', {
  token: Type.String(),
  new_password: Type.String(),
});

export default defineRoute({
  name: 'reset-password',
  path: 'POST /v1/auth/password/reset',
  summary: 'Sets a new password with a mailed link and signs in.',
  openapi: { id: 'reset_password', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 10, seconds: 300, per: 'ip' },
  auth: [],
  body: resetPasswordRequest,
  answers: { 200: authResponse },
  fails: [400, 422, 429, 500],
  services: { passwordReset },
  errors: { ...passwordsAreOff, ...tooManyAttempts },
  async handle({ body, ctx, use }) {
    return use.passwordReset.reset(body.token, body.new_password, requestFacts(ctx, 'POST /v1/auth/password/reset'));
  },
});
