import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import authResponse from '../../models/AuthResponse.ts';
import passkeyInfo from '../../models/PasskeyInfo.ts';
import { model, nullable, openObject } from '../../schema/model.ts';
import { enrollment } from '../passkeys/enrollment.ts';
import { toPasskeyInfo } from '../passkeys/passkeys.ts';

const passkeyRegisterVerifyRequest = model('PasskeyRegisterVerifyRequest', {
  credential: openObject(),
  name: Type.Optional(nullable(Type.String())),
  mfa_token: Type.Optional(nullable(Type.String())),
});

const passkeyRegisterVerifyResponse = model('PasskeyRegisterVerifyResponse', {
  passkey: passkeyInfo,
  recovery_codes: Type.Optional(nullable(Type.Array(Type.String()))),
  auth: Type.Optional(nullable(authResponse)),
});

export default defineRoute({
  name: 'verify-passkey-registration',
  path: 'POST /v1/auth/passkeys/register/verify',
  summary: 'Stores a new passkey, and completes the sign-in if enrollment was required.',
  openapi: { id: 'verify_passkey_registration', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 60, seconds: 60, per: 'user' },
  auth: ['bearer'],
  // A user who must enroll before the sign-in completes sends a token in the body instead (platform M-12).
  authOptional: true,
  isOn: (settings) => settings.auth.passkeys,
  body: passkeyRegisterVerifyRequest,
  answers: { 200: passkeyRegisterVerifyResponse },
  fails: [400, 401, 422, 429, 500],
  services: { enrollment },
  errors: {
    CONFLICT: { kind: 'conflict', meaning: 'The user has reached the limit of passkeys.' },
  },
  async handle({ body, ctx, use }) {
    const who = { userId: ctx.principal?.userId, mfaToken: body.mfa_token };
    const enrolled = await use.enrollment.verify(
      who,
      body,
      requestFacts(ctx, 'POST /v1/auth/passkeys/register/verify'),
    );
    const { passkey, recoveryCodes, auth } = enrolled;
    return { passkey: toPasskeyInfo(passkey), recovery_codes: recoveryCodes, auth };
  },
});
