import { defineRoute } from '../define/route.ts';
import ceremonyOptionsResponse from '../models/CeremonyOptionsResponse.ts';
import { passkeys } from '../passkeys/passkeys.ts';

export default defineRoute({
  name: 'get-passkey-reauth-options',
  path: 'POST /v1/auth/passkeys/reauth/options',
  summary: 'What to ask the browser for when a passkey proves who is at the keyboard.',
  openapi: { id: 'get_passkey_reauth_options', tag: 'auth' },
  category: 'auth',
  limit: { maxCalls: 60, seconds: 60, per: 'user' },
  // Platform A-3: what follows is for people, not for keys.
  auth: ['bearer'],
  isOn: (settings) => settings.auth.passkeys,
  answers: { 200: ceremonyOptionsResponse },
  fails: [400, 429, 500],
  services: { passkeys },
  async handle({ ctx, use }) {
    return { options: await use.passkeys.reauthOptions(ctx.caller.userId) };
  },
});
