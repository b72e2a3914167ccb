/** @module-tag sessions */
import { startTestService, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KernelOauthGrant } from '../../rows.gen.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ plugins: [], worker: false });
});
afterAll(() => service.close());

/** Inserts the row that the token-issuing plugin writes when a user connects an app. */
async function consent(userId: string, id: string, at: string): Promise<void> {
  await service.store.transaction('kernel', (tx) =>
    tx.query(sql`
      INSERT INTO kernel_oauth_grant (id, user_id, graph_id, client_id, client_name, client_is_trusted, resource, scope,
        created_at)
      VALUES (${id}, ${userId}, 'kg00000000000000000001', 'client-1', 'Assistant', true, 'https://books.example.org/mcp',
        'read write', ${at})`),
  );
}

describe('connected apps', () => {
  it('are listed newest first and disconnected permanently, only by their user (platform K-8)', async () => {
    const [ann, sam] = [await service.newUser('Ann'), await service.newUser('Sam')];
    const annId = (await ann.get('/v1/user')).body.id;
    await consent(annId, 'oag_1', '2026-03-01T10:00:00Z');
    await consent(annId, 'oag_2', '2026-03-02T10:00:00Z');
    const path = '/v1/user/oauth/grants';
    const { grants } = (await ann.get(path)).body;
    expect(grants.map((grant: { id: string }) => grant.id)).toEqual(['oag_2', 'oag_1']);
    expect(grants[0]).toEqual({
      id: 'oag_2',
      client_name: 'Assistant',
      client_uri: null,
      client_is_trusted: true,
      graph_id: 'kg00000000000000000001',
      graph_name: null,
      resource: 'https://books.example.org/mcp',
      scope: 'read write',
      created_at: '2026-03-02T10:00:00.000Z',
      last_used_at: null,
    });
    expect((await sam.get(path)).body).toEqual({ grants: [] });
    expect((await sam.request('DELETE', `${path}/oag_1`)).status).toBe(404);
    const ended = [await ann.request('DELETE', `${path}/oag_2`), await ann.request('DELETE', `${path}/oag_2`)];
    expect(ended.map(({ status, body }) => [status, body.success])).toEqual([
      [200, true],
      [200, true],
    ]);
    expect((await ann.get(path)).body.grants).toMatchObject([{ id: 'oag_1' }]);
    const [grant] = await service.store.transaction('kernel', (tx) =>
      tx.query<Pick<KernelOauthGrant, 'revoked_at'>>(sql`SELECT revoked_at FROM kernel_oauth_grant WHERE id = 'oag_2'`),
    );
    expect(grant?.revoked_at).toBeInstanceOf(Date);
    const audited = await service.store.transaction('kernel', (tx) =>
      tx.query(sql`SELECT 1 FROM kernel_security_audit WHERE event_type = 'oauth_grant_revoked'`),
    );
    expect(audited).toHaveLength(1);
  });
});
