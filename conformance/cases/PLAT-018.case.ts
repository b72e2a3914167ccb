import { defineCase } from '../src/define-case.ts';
import { textAt, valueAt } from '../src/expectations.ts';

export default defineCase({
  id: 'PLAT-018',
  level: 'MUST',
  title: 'a passkey can be added only after recent authentication, and its options reveal nothing to strangers',
  clause: 'platform M-10 to M-16, M-19, F-1',
  requires: ['POST /v1/auth/passkeys/register/options'],
  async run({ newUser, anonymous, expectStatus, expectError, expectThat, skip }) {
    const providers = await anonymous.get('/v1/auth/providers');
    if (valueAt(providers, 'passkeys') !== true) skip('passkeys are disabled');
    const { client, password } = await newUser();
    expectError(401, await client.post('/v1/auth/passkeys/register/options', {}));
    expectError(401, await client.post('/v1/auth/passkeys/register/options', { password: `${password}x` }));
    const options = await client.post('/v1/auth/passkeys/register/options', { password });
    expectStatus(200, options);
    const challenge = textAt(options, 'options.challenge');
    expectThat(challenge.length >= 43, 'A challenge must have 32 random bytes');
    expectThat(
      valueAt(options, 'options.authenticatorSelection.userVerification') === 'required',
      'User verification must be required',
    );
    expectError(400, await client.post('/v1/auth/passkeys/reauth/options', {}));
    const login = await anonymous.post('/v1/auth/passkeys/login/options', {});
    expectStatus(200, login);
    const allowed = valueAt(login, 'options.allowCredentials');
    expectThat(
      allowed === undefined || (Array.isArray(allowed) && allowed.length === 0),
      'Signing in without a password must not name credentials',
    );
    const nonsense = { id: 'x', rawId: 'x', type: 'public-key', response: {}, clientExtensionResults: {} };
    expectError(401, await anonymous.post('/v1/auth/passkeys/login/verify', { assertion: nonsense }));
    const status = await client.get('/v1/auth/mfa/status');
    expectStatus(200, status);
    expectThat(valueAt(status, 'passkey_count') === 0, 'A new user must have no passkey');
    const { key } = (await client.post('/v1/user/api-keys', { name: 'Conformance' })).body as { key: string };
    const byKey = anonymous.withHeaders({ 'x-api-key': key });
    expectError(403, await byKey.post('/v1/auth/passkeys/register/options', { password }));
  },
});
