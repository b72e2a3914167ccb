import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import authResponse from '../../models/AuthResponse.ts';
import { model } from '../../schema/model.ts';
import { emailVerification } from '../accounts/email-verification.ts';

const emailVerificationRequest = model('EmailVerificationRequest', {
  token: Type.String(),
});

export default defineRoute({
  name: 'verify-email',
  path: 'POST /v1/auth/email/verify',
  summary: 'Verifies an address with a mailed link and signs in.',
  openapi: { id: 'verify_email', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 10, seconds: 300, per: 'ip' },
  auth: [],
  body: emailVerificationRequest,
  answers: { 200: authResponse },
  fails: [400, 422, 429, 500],
  services: { emailVerification },
  async handle({ body, ctx, use }) {
    return use.emailVerification.verify(body.token, requestFacts(ctx, 'POST /v1/auth/email/verify'));
  },
});
