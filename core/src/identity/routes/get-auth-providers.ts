import { Type } from 'typebox';
import { answer, defineRoute } from '../../define/route.ts';
import { model, nullable } from '../../schema/model.ts';
import { kernelSettings } from '../../settings/kernel-settings.ts';
import { accounts } from '../accounts/accounts.ts';

const oidcProviderInfo = model('OIDCProviderInfo', {
  enabled: Type.Boolean(),
  provider_label: Type.Optional(nullable(Type.String())),
});

const authProvidersResponse = model('AuthProvidersResponse', {
  password_auth: Type.Boolean(),
  oidc: oidcProviderInfo,
  registration: Type.Boolean(),
  passkeys: Type.Boolean(),
});

export default defineRoute({
  name: 'get-auth-providers',
  path: 'GET /v1/auth/providers',
  summary: 'Lists the sign-in methods of this deployment.',
  openapi: { id: 'get_auth_providers', tag: 'auth' },
  category: 'auth',
  auth: [],
  answers: { 200: authProvidersResponse },
  fails: [400, 429, 500],
  services: { accounts, settings: kernelSettings },
  async handle({ use }) {
    const oidc = { enabled: false, provider_label: null };
    const { acceptsPasswords, isOpen } = use.accounts;
    const body = { password_auth: acceptsPasswords, oidc, registration: isOpen, passkeys: use.settings.auth.passkeys };
    return answer(200, body, { 'Cache-Control': 'public, max-age=60' });
  },
});
