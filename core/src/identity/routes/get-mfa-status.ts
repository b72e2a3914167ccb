import { Type } from 'typebox';
import { defineRoute } from '../../define/route.ts';
import { model } from '../../schema/model.ts';
import { secondFactor } from '../passkeys/second-factor.ts';

const mfaStatusResponse = model('MfaStatusResponse', {
  passkey_count: Type.Integer(),
  recovery_codes_remaining: Type.Integer(),
  enforcement_applies: Type.Boolean(),
});

export default defineRoute({
  name: 'get-mfa-status',
  path: 'GET /v1/auth/mfa/status',
  summary: 'Returns the number of passkeys and unused recovery codes of the caller, and whether a passkey is required.',
  openapi: { id: 'get_mfa_status', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 120, seconds: 60, per: 'ip' },
  auth: ['api-key', 'bearer'],
  isOn: (settings) => settings.auth.passkeys,
  answers: { 200: mfaStatusResponse },
  fails: [400, 429, 500],
  services: { secondFactor },
  async handle({ ctx, use }) {
    return use.secondFactor.status(ctx.caller.userId);
  },
});
