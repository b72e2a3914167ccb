import { defineCase } from '../src/define-case.ts';
import { textAt } from '../src/expectations.ts';

export default defineCase({
  id: 'PLAT-003',
  level: 'MUST',
  title: 'refreshing a session keeps the old token valid for a moment, and changing the password ends both',
  clause: 'platform A-7, A-10',
  requires: ['POST /v1/auth/refresh', 'PUT /v1/user/password'],
  async run({ newUser, anonymous, expectStatus, expectError }) {
    const { client, email, password } = await newUser();
    const refreshed = await client.request('POST', '/v1/auth/refresh');
    expectStatus(200, refreshed);
    const newer = anonymous.withHeaders({ authorization: `Bearer ${textAt(refreshed, 'token')}` });
    expectStatus(200, await newer.get('/v1/user'));
    expectStatus(200, await client.get('/v1/user')); // Requests in flight must not fail.
    const changed = { current_password: password, new_password: `${password}-2`, confirm_password: `${password}-2` };
    expectStatus(200, await newer.put('/v1/user/password', changed));
    for (const session of [client, newer]) expectError(401, await session.get('/v1/user'));
    const login = await anonymous.post('/v1/auth/login', { email, password: `${password}-2` });
    expectStatus(200, login);
  },
});
