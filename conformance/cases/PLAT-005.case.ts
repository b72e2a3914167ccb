import { defineCase } from '../src/define-case.ts';
import { textAt } from '../src/expectations.ts';

export default defineCase({
  id: 'PLAT-005',
  level: 'MUST',
  title: 'an API key works only in its header, creates no further keys, and ends when it is revoked',
  clause: 'platform A-1, A-3, K-1, K-5',
  async run({ newUser, anonymous, expectStatus, expectError, expectThat }) {
    const { client } = await newUser();
    const created = await client.post('/v1/user/api-keys', { name: 'Conformance' });
    expectStatus(201, created);
    const key = textAt(created, 'key');
    expectThat(/^rfs[0-9a-f]{64}$/.test(key), 'A key must be rfs and 64 lowercase hexadecimal digits');
    expectThat(textAt(created, 'api_key.prefix') === key.slice(0, 8), 'The prefix must be the first 8 characters');
    const keyed = anonymous.withHeaders({ 'x-api-key': key });
    expectStatus(200, await keyed.get('/v1/user'));
    expectError(401, await anonymous.withHeaders({ authorization: `Bearer ${key}` }).get('/v1/user'));
    const token = String(client.headers['authorization']).replace('Bearer ', '');
    expectError(401, await anonymous.withHeaders({ 'x-api-key': token }).get('/v1/user'));
    expectError(403, await keyed.post('/v1/user/api-keys', { name: 'Successor' }), 'FORBIDDEN');
    const path = `/v1/user/api-keys/${textAt(created, 'api_key.id')}`;
    for (const caller of [client, client]) expectStatus(200, await caller.delete(path)); // Revoking is idempotent.
    expectError(401, await keyed.get('/v1/user'));
  },
});
