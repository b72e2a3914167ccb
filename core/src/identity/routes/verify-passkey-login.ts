import { requestFacts } from '../../audit/request-facts.ts';
import { defineRoute } from '../../define/route.ts';
import authResponse from '../../models/AuthResponse.ts';
import { model, openObject } from '../../schema/model.ts';
import { tooManyAttempts } from '../accounts/declared-errors.ts';
import { passkeys } from '../passkeys/passkeys.ts';

const passkeyLoginVerifyRequest = model('PasskeyLoginVerifyRequest', {
  assertion: openObject(),
});

export default defineRoute({
  name: 'verify-passkey-login',
  path: 'POST /v1/auth/passkeys/login/verify',
  summary: 'Signs in with a passkey alone.',
  openapi: { id: 'verify_passkey_login', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 10, seconds: 300, per: 'ip' },
  auth: [],
  isOn: (settings) => settings.auth.passkeys,
  body: passkeyLoginVerifyRequest,
  answers: { 200: authResponse },
  fails: [400, 401, 422, 429, 500],
  services: { passkeys },
  errors: {
    ...tooManyAttempts,
  },
  async handle({ body, ctx, use }) {
    return use.passkeys.signIn(body.assertion, requestFacts(ctx, 'POST /v1/auth/passkeys/login/verify'));
  },
});
