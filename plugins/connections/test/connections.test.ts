/** @module-tag sessions */
import { toolCatalog } from '@pacioli/core';
import { joinTeam, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedGraph, type ConnectedService, openGraph, startConnected } from './connections-fixture.ts';

let run: ConnectedService;
let books: ConnectedGraph;
let made = 0;
beforeAll(async () => {
  run = await startConnected();
});
afterAll(() => run.service.close());
beforeEach(async () => {
  made += 1;
  books = await openGraph(run.owner, `Books ${made}`);
});

const unknown = 'conn_01JQ0000000000000000000000';

describe('create-connection', () => {
  it.each([
    ['a missing configuration', { provider: 'external' }, ['body', 'external_config'], 'missing'],
    ['a null configuration', { provider: 'external', external_config: null }, ['body', 'external_config'], 'missing'],
    ['a missing provider', { external_config: { source_name: 'a' } }, ['body', 'provider'], 'missing'],
    ['an unknown provider', { provider: 'abacus' }, ['body', 'provider'], 'enum'],
    [
      'a display name that is too long',
      { provider: 'external', external_config: { source_name: 'a', display_name: 'x'.repeat(201) } },
      ['body', 'external_config', 'display_name'],
      'string_too_long',
    ],
  ])('rejects %s (ledger L-115, platform E-3)', async (_case, body, loc, type) => {
    const refused = await run.owner.post(books.path, body);
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(refused.body.detail).toEqual([expect.objectContaining({ loc, type })]);
    expect(await books.list()).toEqual([]);
  });

  it.each(['quickbooks', 'mercury', 'plaid'])(
    'rejects %s, which this deployment does not offer (ledger L-115)',
    async (provider) => {
      const refused = await run.owner.post(books.path, { provider, external_config: { source_name: 'a' } });
      expect([refused.status, refused.body.code]).toEqual([403, 'PROVIDER_DISABLED']);
      expect(refused.body.detail).toContain('external');
      const callback = { code: 'c', state: 's' };
      expect((await run.owner.post(`${books.path}/oauth/callback/${provider}`, callback)).status).toBe(403);
      expect(await books.list()).toEqual([]);
    },
  );

  it('rejects an entity that the graph does not have (ledger L-115)', async () => {
    const entityOf = async (graph: string): Promise<string> =>
      (await run.owner.graphql(graph, '{ entity { id } }')).body.data.entity.id;
    const other = await openGraph(run.owner, `Elsewhere ${made}`);
    const [own, foreign] = [await entityOf(books.graph), await entityOf(other.graph)];
    const request = (entityId: string) => ({
      provider: 'external',
      entity_id: entityId,
      external_config: { source_name: 'shopfeed' },
    });
    const refused = await run.owner.post(books.path, request(foreign));
    expect([refused.status, refused.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(await books.list()).toEqual([]);
    expect((await run.owner.post(books.path, request(own))).body.entity_id).toBe(own);
  });

  it('rejects connections beyond the limit of one hundred, also for concurrent requests', async () => {
    const names = Array.from({ length: 104 }, (_, index) => `feed-${index}`);
    const first = await Promise.all(names.slice(0, 98).map((name) => books.register(name)));
    expect(first.every(({ status }) => status === 201)).toBe(true);
    const last = await Promise.all(names.slice(98).map((name) => books.register(name)));
    expect(last.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403, 403]);
    const refused = last.find(({ status }) => status === 403);
    expect(refused?.body.code).toBe('CONNECTION_LIMIT_REACHED');
    expect(refused?.body.detail).toContain('100');
    const live = await books.list();
    expect(live).toHaveLength(100);
    await run.owner.request('DELETE', `${books.path}/${live[0].connection_id}`);
    expect((await books.register('one-more')).status).toBe(201);
  });
});

describe('the reads of connections', () => {
  it('list connections by age, filtered by provider and entity (ledger 6.1)', async () => {
    const names = ['zulu', 'alpha', 'mike'];
    for (const name of names) {
      run.clock.advance(1000);
      await books.register(name);
    }
    expect((await books.list()).map((each: { source_name: string }) => each.source_name)).toEqual(names);
    expect((await run.owner.get(`${books.path}?provider=external`)).body).toHaveLength(3);
    expect((await run.owner.get(`${books.path}?provider=plaid`)).body).toEqual([]);
    expect((await run.owner.get(`${books.path}?entity_id=ent_none`)).body).toEqual([]);
    expect((await run.owner.get(`${books.path}?provider=abacus`)).status).toBe(422);
  });

  it('return the connection options of this deployment (ledger 6.1)', async () => {
    const { status, body } = await run.owner.get(`${books.path}/options`);
    expect(status).toBe(200);
    expect(body.total_providers).toBe(1);
    expect(body.providers).toEqual([
      expect.objectContaining({ provider: 'external', auth_type: 'none', required_config: ['source_name'] }),
    ]);
  });
});

describe('an external source', () => {
  let path: string;
  beforeEach(async () => {
    path = `${books.path}/${(await books.register('shopfeed')).body.connection_id}`;
  });

  it('cannot be severed (ledger L-120)', async () => {
    const before = await books.list();
    const refused = await run.owner.request('DELETE', `${path}?disposition=sever`);
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_INPUT']);
    expect((await run.owner.request('DELETE', `${path}?disposition=burn`)).status).toBe(422);
    expect(await books.list()).toEqual(before);
    expect((await books.send('shopfeed', 'po-1')).status).toBe(200);
  });

  it('has no write policy (ledger L-119)', async () => {
    const before = await books.list();
    for (const writePolicy of ['native', 'qb_authoritative']) {
      const refused = await run.owner.put(`${path}/write-policy`, { write_policy: writePolicy });
      expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_INPUT']);
    }
    expect((await run.owner.put(`${path}/write-policy`, { write_policy: 'hybrid' })).status).toBe(422);
    const nowhere = await run.owner.put(`${books.path}/${unknown}/write-policy`, { write_policy: 'native' });
    expect(nowhere.status).toBe(404);
    expect(await books.list()).toEqual(before);
  });

  it('has no authorization (ledger L-117, L-118)', async () => {
    const before = await books.list();
    const init = await run.owner.post(`${books.path}/oauth/init`, { connection_id: path.split('/').at(-1) });
    expect([init.status, init.body.detail]).toEqual([400, 'OAuth not supported for provider: external']);
    expect((await run.owner.post(`${books.path}/oauth/init`, { connection_id: unknown })).status).toBe(404);
    const callback = { code: 'c', state: 's', error: 'access_denied' };
    const back = await run.owner.post(`${books.path}/oauth/callback/external`, callback);
    expect([back.status, back.body.detail]).toEqual([400, 'OAuth not supported for provider: external']);
    expect((await run.owner.post(`${books.path}/oauth/callback/abacus`, callback)).status).toBe(404);
    expect(await books.list()).toEqual(before);
  });

  it('has nothing to sync: the operation completes immediately and says so (ledger L-122)', async () => {
    const before = await books.list();
    const synced = await run.owner.post(`${path}/sync`, { full_rebuild: true });
    expect(synced.status).toBe(202);
    const connectionId = path.split('/').at(-1);
    expect(synced.body).toMatchObject({
      operation: 'sync-connection',
      status: 'completed',
      result: {
        connection_id: connectionId,
        task_id: null,
        status: 'completed',
        message: expect.stringContaining('nothing to pull'),
      },
      idempotentReplay: false,
    });
    const status = await run.owner.get(`/v1/operations/${synced.body.operationId}/status`);
    expect([status.status, status.body.status]).toEqual([200, 'completed']);
    expect((await run.owner.post(`${books.path}/${unknown}/sync`)).status).toBe(404);
    const misspelt = await run.owner.post(`${path}/sync`, { since_date: 'yesterday' });
    expect([misspelt.status, misspelt.body.code, typeof misspelt.body.detail]).toEqual([
      422,
      'INVALID_INPUT',
      'string',
    ]);
    expect(await books.list()).toEqual(before);
  });

  it('replays a sync by its key, which no other connection or body can use (platform N-20 to N-22)', async () => {
    const other = `${books.path}/${(await books.register('webshop')).body.connection_id}`;
    const key = { 'idempotency-key': 'sync-1' };
    const first = await run.owner.post(`${path}/sync`, {}, key);
    const second = await run.owner.post(`${path}/sync`, { full_rebuild: false }, key);
    expect(second.status).toBe(202);
    expect(second.body).toEqual({ ...first.body, idempotentReplay: true });
    const refused = [
      await run.owner.post(`${other}/sync`, {}, key),
      await run.owner.post(`${path}/sync`, { full_rebuild: true }, key),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'IDEMPOTENCY_KEY_REUSED'],
      [409, 'IDEMPOTENCY_KEY_REUSED'],
    ]);
  });
});

describe('the roles of a graph', () => {
  it('determine who can list, sync and change connections (platform P-10, P-13, P-15)', async () => {
    const { connection_id } = (await books.register('shopfeed')).body;
    const people: Record<string, TestClient> = { stranger: await run.service.newUser('Sam') };
    for (const role of ['viewer', 'member', 'admin']) {
      const { client, userId } = await joinTeam(run.service, run.owner);
      expect((await run.owner.post(`/v1/graphs/${books.graph}/members`, { user_id: userId, role })).status).toBe(201);
      people[role] = client;
    }
    const path = `${books.path}/${connection_id}`;
    const seen: Record<string, readonly number[]> = {};
    for (const [role, client] of Object.entries(people)) {
      const config = { source_name: `feed-${role}` };
      const answers = [
        await client.get(books.path),
        await client.get(path),
        await client.get(`${books.path}/options`),
        await client.post(`${path}/sync`),
        await client.post(books.path, { provider: 'external', external_config: config }),
        await client.put(`${path}/write-policy`, { write_policy: 'native' }),
        await client.post(`${books.path}/oauth/init`, { connection_id }),
        await client.post(`${books.path}/oauth/callback/external`, { code: 'c', state: 's' }),
        await client.request('DELETE', path),
      ];
      seen[role] = answers.map(({ status }) => status);
    }
    expect(seen).toEqual({
      stranger: [403, 403, 403, 403, 403, 403, 403, 403, 403],
      viewer: [200, 200, 200, 403, 403, 403, 403, 403, 403],
      member: [200, 200, 200, 202, 403, 403, 403, 403, 403],
      admin: [200, 200, 200, 202, 201, 400, 400, 400, 200],
    });
    expect((await books.list()).map((each: { source_name: string }) => each.source_name)).toEqual(['feed-admin']);
  });
});

describe('the tools of connections', () => {
  it('have no write policy to set where no provider keeps whole books (ai-surface M-54)', async () => {
    const { id, name } = (await run.owner.get('/v1/user')).body;
    const caller = { userId: id, email: '', name, credential: 'jwt' } as const;
    const catalog = run.service.service.services.resolve(toolCatalog);
    const names = (await catalog.list({ caller, graphId: books.graph })).map((tool) => tool.name);
    expect(names).toContain('get-graph-sync-status');
    expect(names).not.toContain('set-write-policy');
    const { signal } = new AbortController();
    const status = { caller, graphId: books.graph, name: 'get-graph-sync-status', arguments: {}, signal };
    expect(JSON.parse((await catalog.call({ ...status, source: 'mcp' })).text)).toEqual({
      graph_id: books.graph,
      connections: [],
      analytical_graph: null, // This deployment has no plugin of graphs.
    });
  });
});
