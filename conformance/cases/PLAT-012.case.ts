import { defineCase } from '../src/define-case.ts';

export default defineCase({
  id: 'PLAT-012',
  level: 'MUST',
  title: 'a failed login delays the next attempt',
  clause: 'platform A-20',
  async run({ newUser, anonymous, expectStatus, expectError, expectHeader, skip }) {
    const { email, password } = await newUser();
    const wrong = { body: { email, password: `${password}x` }, keepsRefusals: true };
    expectError(401, await anonymous.request('POST', '/v1/auth/login', wrong), 'INVALID_CREDENTIALS');
    const right = { email, password };
    const early = await anonymous.request('POST', '/v1/auth/login', { body: right, keepsRefusals: true });
    // A deployment in the test profile has no limits, which the missing rate limit headers show.
    const isLimited = (await anonymous.get('/v1/auth/password/policy')).headers.get('x-ratelimit-limit') !== null;
    if (!isLimited && early.status === 200) skip('this deployment runs in the test profile, without limits');
    expectError(429, early, 'TOO_MANY_ATTEMPTS');
    expectHeader('retry-after', '^[0-9]+$', early);
    expectStatus(200, await anonymous.post('/v1/auth/login', right)); // The client waits for the time in Retry-After.
  },
});
