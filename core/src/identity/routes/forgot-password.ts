import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import { model, openObject } from '../../schema/model.ts';
import { passwordReset } from '../accounts/password-reset.ts';

const forgotPasswordRequest = model('ForgotPasswordRequest', {
  email: Type.String(),
});

export default defineRoute({
  name: 'forgot-password',
  path: 'POST /v1/auth/password/forgot',
  summary: 'Mails a link that resets the password, if the address has an account.',
  openapi: { id: 'forgot_password', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 10, seconds: 300, per: 'ip' },
  auth: [],
  body: forgotPasswordRequest,
  answers: { 200: openObject() },
  fails: [400, 422, 429, 500],
  services: { passwordReset },
  async handle({ body, ctx, use }) {
    await use.passwordReset.ask(body.email, requestFacts(ctx, 'POST /v1/auth/password/forgot'));
    return { message: 'If an account exists with this email, a password reset link has been sent.' };
  },
});
