import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import ceremonyOptionsResponse from '../../models/CeremonyOptionsResponse.ts';
import { model } from '../../schema/model.ts';
import { secondFactor } from '../passkeys/second-factor.ts';

const mfaOptionsRequest = model('MfaOptionsRequest', {
  mfa_token: Type.String(),
});

export default defineRoute({
  name: 'get-mfa-options',
  path: 'POST /v1/auth/mfa/options',
  summary: 'Returns the WebAuthn options for a passkey as the second factor.',
  openapi: { id: 'get_mfa_options', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 120, seconds: 60, per: 'ip' },
  auth: [],
  isOn: (settings) => settings.auth.passkeys,
  body: mfaOptionsRequest,
  answers: { 200: ceremonyOptionsResponse },
  fails: [400, 401, 422, 429, 500],
  services: { secondFactor },
  async handle({ body, use }) {
    return { options: await use.secondFactor.options(body.mfa_token) };
  },
});
