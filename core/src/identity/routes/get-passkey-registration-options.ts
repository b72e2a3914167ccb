import { Type } from 'typebox';
import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import ceremonyOptionsResponse from '../../models/CeremonyOptionsResponse.ts';
import { model, nullable, openObject } from '../../schema/model.ts';
import { tooManyAttempts } from '../accounts/declared-errors.ts';
import { enrollment } from '../passkeys/enrollment.ts';

const passkeyRegisterOptionsRequest = model('PasskeyRegisterOptionsRequest', {
  mfa_token: Type.Optional(nullable(Type.String())),
  password: Type.Optional(nullable(Type.String())),
  assertion: Type.Optional(nullable(openObject())),
});

export default defineRoute({
  name: 'get-passkey-registration-options',
  path: 'POST /v1/auth/passkeys/register/options',
  summary: 'Returns the WebAuthn options for enrolling a passkey.',
  openapi: { id: 'get_passkey_registration_options', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 60, seconds: 60, per: 'user' },
  auth: ['bearer'],
  // A user who must enroll before the sign-in completes sends a token in the body instead (platform M-12).
  authOptional: true,
  isOn: (settings) => settings.auth.passkeys,
  body: passkeyRegisterOptionsRequest,
  answers: { 200: ceremonyOptionsResponse },
  fails: [400, 401, 422, 429, 500],
  services: { enrollment },
  errors: {
    CONFLICT: { kind: 'conflict', meaning: 'The user has reached the limit of passkeys.' },
    ...tooManyAttempts,
  },
  async handle({ body, ctx, use }) {
    const who = { userId: ctx.principal?.userId, mfaToken: body.mfa_token };
    return {
      options: await use.enrollment.options(who, body, requestFacts(ctx, 'POST /v1/auth/passkeys/register/options')),
    };
  },
});
