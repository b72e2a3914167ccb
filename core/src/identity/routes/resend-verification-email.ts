import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import { openObject } from '../../schema/model.ts';
import { emailVerification } from '../accounts/email-verification.ts';

export default defineRoute({
  name: 'resend-verification-email',
  path: 'POST /v1/auth/email/resend',
  summary: 'Mails a new verification link to the caller.',
  openapi: { id: 'resend_verification_email', tag: 'auth' },
  category: 'auth',
  auth: ['bearer'],
  answers: { 200: openObject() },
  fails: [400, 429, 500, 503],
  services: { emailVerification },
  async handle({ ctx, use }) {
    await use.emailVerification.resend(ctx.caller.userId, requestFacts(ctx, 'POST /v1/auth/email/resend'));
    return { message: 'Verification email sent. Please check your inbox.' };
  },
});
