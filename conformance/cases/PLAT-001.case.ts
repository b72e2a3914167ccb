import { defineCase } from '../src/define-case.ts';
import { textAt, valueAt } from '../src/expectations.ts';

export default defineCase({
  id: 'PLAT-001',
  level: 'MUST',
  title: 'registration signs the user in and creates one personal organization that they own',
  clause: 'platform A-14',
  async run({ newUser, anonymous, expectStatus, expectError, expectThat }) {
    const { client, email, password } = await newUser();
    const orgs = await client.get('/v1/orgs');
    expectStatus(200, orgs);
    expectThat(valueAt(orgs, 'orgs.1') === undefined, 'A new user must have exactly one organization');
    expectThat(valueAt(orgs, 'orgs.0.role') === 'owner', 'A new user must own their organization');
    expectThat(valueAt(orgs, 'orgs.0.org_type') === 'personal', 'The first organization must be a personal one');
    const again = { name: 'Again', email: email.toUpperCase(), password };
    expectError(409, await anonymous.post('/v1/auth/register', again), 'ALREADY_EXISTS');
    const weak = await anonymous.post('/v1/auth/register', { name: 'Weak', email: `weak-${email}`, password: 'aaaa' });
    expectError(400, weak, 'INVALID_INPUT');
    const detail = textAt(weak, 'detail');
    expectThat(detail.includes(','), `Each violated rule must be named, got: ${detail}`);
  },
});
