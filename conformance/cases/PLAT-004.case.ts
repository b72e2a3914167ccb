import { defineCase } from '../src/define-case.ts';

export default defineCase({
  id: 'PLAT-004',
  level: 'MUST',
  title: 'logging out ends the session and never fails',
  clause: 'platform A-11',
  async run({ newUser, anonymous, expectStatus, expectError }) {
    const { client } = await newUser();
    for (const caller of [client, client, anonymous])
      expectStatus(200, await caller.request('POST', '/v1/auth/logout'));
    expectError(401, await client.get('/v1/user'));
  },
});
