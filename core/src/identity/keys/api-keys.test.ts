/** @module-tag sessions */
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backgroundWrites } from '../../audit/security-audit.ts';
import type { KernelApiKey, KernelSecurityAudit } from '../../rows.gen.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ plugins: [], clock });
});
afterAll(() => service.close());

/** Waits for the background writes of the service. */
const settled = () => service.service.services.resolve(backgroundWrites).drain();

async function newKeyOf(user: TestClient, body: object = {}) {
  const answer = await user.post('/v1/user/api-keys', { name: 'import', ...body });
  expect(answer.status).toBe(201);
  const key = answer.body.key as string;
  return { key, info: answer.body.api_key, client: service.anonymous.withHeaders({ 'x-api-key': key }) };
}

function stored(keyId: string) {
  return service.store.transaction('kernel', async (tx) => {
    const rows = await tx.query<Pick<KernelApiKey, 'last_used_at'> & { row: string }>(
      sql`SELECT row_to_json(k)::text AS row, last_used_at FROM kernel_api_key k WHERE id = ${keyId}`,
    );
    return rows[0];
  });
}

async function auditTypes(prefix: string): Promise<readonly string[]> {
  const rows = await service.store.transaction('kernel', (tx) =>
    tx.query<Pick<KernelSecurityAudit, 'event_type'>>(
      sql`SELECT event_type FROM kernel_security_audit WHERE key_prefix = ${prefix}`,
    ),
  );
  return rows.map((row) => row.event_type);
}

describe('an API key', () => {
  it('is shown once, works in X-API-Key and is stored only as a fingerprint (platform K-1)', async () => {
    const user = await service.newUser('Key holder');
    const { key, info, client } = await newKeyOf(user, { description: 'nightly' });
    expect(key).toMatch(/^rfs[0-9a-f]{64}$/);
    expect(info).toMatchObject({ name: 'import', description: 'nightly', prefix: key.slice(0, 8), graph_id: null });
    expect((await client.get('/v1/user')).body.email).toBe((await user.get('/v1/user')).body.email);
    expect((await stored(info.id))?.row).not.toContain(key.slice(3));
    expect((await user.get('/v1/user/api-keys')).body.api_keys.map((entry: { id: string }) => entry.id)).toEqual([
      info.id,
    ]);
  });

  it('is refused as a bearer, as is a session as a key; a bad bearer is final (platform A-1, A-2)', async () => {
    const user = await service.newUser();
    const { key } = await newKeyOf(user);
    const session = user.headers['authorization']?.slice('Bearer '.length) ?? '';
    const wrong = [
      { authorization: `Bearer ${key}` },
      { 'x-api-key': session },
      { authorization: 'Bearer nonsense', 'x-api-key': key },
    ];
    for (const headers of wrong) {
      expect((await service.anonymous.withHeaders(headers).get('/v1/user')).status).toBe(401);
    }
    const none = await service.anonymous.get('/v1/user');
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer, ApiKey']);
  });

  it('cannot create another key (platform A-3)', async () => {
    const { client } = await newKeyOf(await service.newUser());
    const answer = await client.post('/v1/user/api-keys', { name: 'successor' });
    expect([answer.status, answer.body.detail]).toEqual([403, 'A signed-in session is required']);
  });

  it('is refused with 401 when unknown, and audited by its prefix (platform K-6)', async () => {
    const key = `rfs${'7e'.repeat(32)}`;
    const answer = await service.anonymous.withHeaders({ 'x-api-key': key }).get('/v1/user');
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'ApiKey']);
    await settled();
    expect(await auditTypes(key.slice(0, 8))).toEqual(['api_key_invalid']);
  });

  it('stops working at its expiry, which must be in the future (platform K-2, K-6)', async () => {
    const user = await service.newUser();
    const past = await user.post('/v1/user/api-keys', { name: 'late', expires_at: '2026-03-02T09:00:00' });
    expect([past.status, past.body.detail]).toEqual([400, 'Expiration date must be in the future']);
    expect((await user.post('/v1/user/api-keys', { name: 'late', expires_at: 'soon' })).status).toBe(400);
    const { client, info } = await newKeyOf(user, {
      expires_at: new Date(clock.now().getTime() + 60_000).toISOString(),
    });
    expect((await client.get('/v1/user')).status).toBe(200);
    clock.advance(60_000);
    expect((await client.get('/v1/user')).status).toBe(401);
    await settled();
    expect(await auditTypes(info.prefix)).toContain('api_key_expired');
    expect((await user.get('/v1/user/api-keys')).body.api_keys).toEqual([]);
  });

  it('records its use at most once a minute (platform K-6)', async () => {
    const { client, info } = await newKeyOf(await service.newUser());
    const lastUse = async () => (await stored(info.id))?.last_used_at?.toISOString();
    const first = clock.now().toISOString();
    await client.get('/v1/user');
    await settled();
    expect(await lastUse()).toBe(first);
    clock.advance(59_000);
    await client.get('/v1/user');
    await settled();
    expect(await lastUse()).toBe(first);
    clock.advance(2_000);
    await client.get('/v1/user');
    await settled();
    expect(await lastUse()).toBe(clock.now().toISOString());
  });

  it('is revoked immediately and permanently; revoking it again succeeds (platform K-5)', async () => {
    const user = await service.newUser();
    const { client, info } = await newKeyOf(user);
    expect((await client.get('/v1/user')).status).toBe(200);
    for (const answer of [
      await user.request('DELETE', `/v1/user/api-keys/${info.id}`),
      await user.request('DELETE', `/v1/user/api-keys/${info.id}`),
    ]) {
      expect([answer.status, answer.body.success]).toEqual([200, true]);
    }
    expect((await client.get('/v1/user')).status).toBe(401);
  });

  it('lets only its owner change its name and description (platform K-5)', async () => {
    const user = await service.newUser();
    const { info } = await newKeyOf(user, { description: 'old' });
    const path = `/v1/user/api-keys/${info.id}`;
    const changed = await user.request('PUT', path, { name: ' renamed ', description: null });
    expect(changed.body).toMatchObject({ id: info.id, name: 'renamed', description: 'old' });
    const stranger = await service.newUser();
    for (const answer of [await stranger.request('PUT', path, { name: 'x' }), await stranger.request('DELETE', path)]) {
      expect([answer.status, answer.body.detail]).toEqual([404, 'API key not found or access denied']);
    }
  });

  it('has a name of 1 to 100 and a description of up to 500 characters (platform K-2)', async () => {
    const user = await service.newUser();
    const create = (body: object) => user.post('/v1/user/api-keys', body);
    expect((await create({ name: 'n'.repeat(100), description: 'd'.repeat(500) })).status).toBe(201);
    const refused = await create({ name: 'n'.repeat(101), description: 'd'.repeat(501) });
    expect(refused.status).toBe(422);
    expect(refused.body.detail.map((issue: { loc: unknown }) => issue.loc)).toEqual([
      ['body', 'name'],
      ['body', 'description'],
    ]);
    expect((await create({ name: '  ' })).body.detail[0].type).toBe('string_too_short');
  });

  it('is refused beyond the limit of fifty active keys (platform K-2)', async () => {
    const user = await service.newUser();
    for (let count = 0; count < 50; count += 1) await newKeyOf(user, { name: `key ${count}` });
    const answer = await user.post('/v1/user/api-keys', { name: 'one too many' });
    expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT']);
  });
});

describe('an API key of one graph', () => {
  it('can use that graph and its routes, and nothing else (platform K-3)', async () => {
    const user = await service.newUser();
    const graphId = await user.createGraph('Harbour', []);
    const other = await user.createGraph('Lantern', []);
    const { client } = await newKeyOf(user, { graph_id: graphId });
    expect((await client.get('/v1/user')).status).toBe(200);
    const list = await client.get('/v1/graphs');
    expect(list.body.graphs.map((entry: { graphId: string }) => entry.graphId)).toEqual([graphId]);
    expect((await client.post(`/v1/graphs/${graphId}/select`)).status).toBe(200);
    const refused = [
      await client.post(`/v1/graphs/${other}/select`),
      await client.get('/v1/orgs'),
      await client.get('/v1/user/api-keys'),
      await client.post('/v1/graphs', { metadata: { graph_name: 'x' } }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [403, 'KEY_SCOPE']));
  });

  it('can be created only for a graph that its owner can access (platform K-3)', async () => {
    const owner = await service.newUser();
    const graphId = await owner.createGraph('Harbour', []);
    const stranger = await service.newUser();
    const denied = await stranger.post('/v1/user/api-keys', { name: 'x', graph_id: graphId });
    expect([denied.status, denied.body.detail]).toEqual([403, 'Access denied to graph']);
    const malformed = await owner.post('/v1/user/api-keys', { name: 'x', graph_id: 'not-a-graph' });
    expect([malformed.status, malformed.body.detail]).toEqual([400, 'Invalid graph_id format']);
  });
});
