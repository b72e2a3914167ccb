import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import { model, nullable } from '../../schema/model.ts';
import { passwordReset } from '../accounts/password-reset.ts';

const resetPasswordValidateResponse = model('ResetPasswordValidateResponse', {
  valid: Type.Boolean(),
  email: Type.Optional(nullable(Type.String())),
});

export default defineRoute({
  name: 'validate-reset-token',
  path: 'GET /v1/auth/password/reset/validate',
  summary: 'Checks whether a password reset link is still valid.',
  openapi: { id: 'validate_reset_token', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 10, seconds: 300, per: 'ip' },
  auth: [],
  query: Type.Object({ token: Type.String() }),
  answers: { 200: resetPasswordValidateResponse },
  fails: [400, 422, 429, 500],
  services: { passwordReset },
  async handle({ query, use }) {
    return use.passwordReset.validate(query.token);
  },
});
