import { requestFacts } from '../audit/request-facts.ts';
import { defineRoute } from '../define/route.ts';
import passkeyRegisterVerifyRequest from '../models/PasskeyRegisterVerifyRequest.ts';
import passkeyRegisterVerifyResponse from '../models/PasskeyRegisterVerifyResponse.ts';
import { enrolment } from '../passkeys/enrolment.ts';
import { toPasskeyInfo } from '../passkeys/passkeys.ts';

export default defineRoute({
  name: 'verify-passkey-registration',
  path: 'POST /v1/auth/passkeys/register/verify',
  summary: 'Stores the passkey that the browser made; completes the sign-in of somebody who had to enrol.',
  openapi: { id: 'verify_passkey_registration', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 60, seconds: 60, per: 'user' },
  auth: ['bearer'],
  // Platform M-12: who has to enrol before he is signed in brings a token in the body instead.
  authOptional: true,
  isOn: (settings) => settings.auth.passkeys,
  body: passkeyRegisterVerifyRequest,
  answers: { 200: passkeyRegisterVerifyResponse },
  fails: [400, 401, 422, 429, 500],
  services: { enrolment },
  errors: {
    CONFLICT: { kind: 'conflict', meaning: 'There are as many passkeys as one may have.' },
  },
  async handle({ body, ctx, use }) {
    const who = { userId: ctx.principal?.userId, mfaToken: body.mfa_token };
    const enrolled = await use.enrolment.verify(who, body, requestFacts(ctx, 'POST /v1/auth/passkeys/register/verify'));
    const { passkey, recoveryCodes, auth } = enrolled;
    return { passkey: toPasskeyInfo(passkey), recovery_codes: recoveryCodes, auth };
  },
});
