import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import authResponse from '../../models/AuthResponse.ts';
import { model, nullable, openObject } from '../../schema/model.ts';
import { tooManyAttempts } from '../accounts/declared-errors.ts';
import { secondFactor } from '../passkeys/second-factor.ts';

const mfaVerifyRequest = model('MfaVerifyRequest', {
  mfa_token: Type.String(),
  assertion: Type.Optional(nullable(openObject())),
  recovery_code: Type.Optional(nullable(Type.String())),
});

export default defineRoute({
  name: 'verify-mfa',
  path: 'POST /v1/auth/mfa/verify',
  summary: 'Completes a sign-in with a passkey or a recovery code.',
  openapi: { id: 'verify_mfa', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 120, seconds: 60, per: 'ip' },
  auth: [],
  isOn: (settings) => settings.auth.passkeys,
  body: mfaVerifyRequest,
  answers: { 200: authResponse },
  fails: [400, 401, 422, 429, 500],
  services: { secondFactor },
  errors: {
    ...tooManyAttempts,
  },
  async handle({ body, ctx, use }) {
    return use.secondFactor.verify(body.mfa_token, body, requestFacts(ctx, 'POST /v1/auth/mfa/verify'));
  },
});
