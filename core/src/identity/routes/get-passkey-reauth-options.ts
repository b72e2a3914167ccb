import { defineRoute } from '../../define/route.ts';
import ceremonyOptionsResponse from '../../models/CeremonyOptionsResponse.ts';
import { passkeys } from '../passkeys/passkeys.ts';

export default defineRoute({
  name: 'get-passkey-reauth-options',
  path: 'POST /v1/auth/passkeys/reauth/options',
  summary: 'Returns the WebAuthn options for reauthentication with a passkey.',
  openapi: { id: 'get_passkey_reauth_options', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 60, seconds: 60, per: 'user' },
  // Reauthentication is only for signed-in users, not for API keys (platform A-3).
  auth: ['bearer'],
  isOn: (settings) => settings.auth.passkeys,
  answers: { 200: ceremonyOptionsResponse },
  fails: [400, 429, 500],
  services: { passkeys },
  async handle({ ctx, use }) {
    return { options: await use.passkeys.reauthOptions(ctx.caller.userId) };
  },
});
