import { defineRoute } from '../../define/route.ts';
import ceremonyOptionsResponse from '../../models/CeremonyOptionsResponse.ts';
import { passkeys } from '../passkeys/passkeys.ts';

export default defineRoute({
  name: 'get-passkey-login-options',
  path: 'POST /v1/auth/passkeys/login/options',
  summary: 'Returns the WebAuthn options for signing in with a passkey alone.',
  openapi: { id: 'get_passkey_login_options', tag: 'auth' },
  category: 'auth',
  auth: [],
  isOn: (settings) => settings.auth.passkeys,
  answers: { 200: ceremonyOptionsResponse },
  fails: [400, 429, 500],
  services: { passkeys },
  async handle({ use }) {
    return { options: await use.passkeys.signInOptions() };
  },
});
