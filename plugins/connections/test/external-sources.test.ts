import { contribute, definePlugin } from '@pacioli/core';
import { eventSources } from '@pacioli/ledger';
import { joinTeam, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectedGraph, type ConnectedService, openGraph, startConnected } from './connected-books.ts';

/** How often the live sources of a graph were asked for. */
let asked = 0;
const counter = definePlugin({
  name: 'counter',
  title: 'Counts',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['ledger'],
  contributions: [
    contribute(eventSources, 'counter', {
      create: () => ({
        live: async () => {
          asked += 1;
          return [];
        },
      }),
    }),
  ],
});

let run: ConnectedService;
let books: ConnectedGraph;
let made = 0;
beforeAll(async () => {
  run = await startConnected(counter);
});
afterAll(() => run.service.close());
beforeEach(async () => {
  made += 1;
  books = await openGraph(run.owner, `Books ${made}`);
});

const unknown = 'conn_01JQ0000000000000000000000';

describe('a registered source', () => {
  it('is shown as a connection that is connected at once (ledger L-115, L-116)', async () => {
    const created = await books.register('shopfeed', { display_name: ' The shop ' });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      connection_id: expect.stringMatching(/^conn_/),
      provider: 'external',
      status: 'connected',
      created_at: '2026-05-02T08:00:00.000Z',
      updated_at: '2026-05-02T08:00:00.000Z',
      last_sync: null,
      metadata: { display_name: 'The shop' },
      entity_id: null,
      write_policy: 'native',
      source_name: 'shopfeed',
    });
    expect((await run.owner.get(`${books.path}/${created.body.connection_id}`)).body).toEqual(created.body);
    expect(await books.list()).toEqual([created.body]);
  });

  it('may be named by events and agents, and no other name may (ledger L-84, L-116)', async () => {
    expect((await books.send('shopfeed', 'po-1')).status).toBe(422);
    const { connection_id } = (await books.register('shopfeed')).body;
    expect((await books.send('shopfeed', 'po-1', { metadata: { connection_id } })).status).toBe(200);
    const again = await books.send('shopfeed', 'po-1');
    expect([again.status, again.body.detail]).toEqual([409, 'Event already ingested for this source and external_id']);
    const misspelt = await books.send('shopfed', 'po-2');
    expect([misspelt.status, misspelt.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(misspelt.body.detail).toContain("'shopfed'");
    expect(misspelt.body.detail).toContain('shopfeed');
    const agent = { agent_type: 'customer', name: 'Bo', source: 'shopfeed', external_id: 'c-1' };
    const created = await run.owner.post(`/extensions/roboledger/${books.graph}/operations/create-agent`, agent);
    expect(created.status).toBe(200);
    expect((await books.events()).map(({ externalId }) => externalId)).toEqual(['po-1']);
  });

  it('is not asked for where the source is one of the books’ own (ledger L-84)', async () => {
    await books.register('shopfeed');
    asked = 0;
    expect((await books.send('manual', 'm-1')).status).toBe(200);
    expect(asked).toBe(0);
    expect((await books.send('shopfeed', 'po-1')).status).toBe(200);
    expect(asked).toBe(1);
  });

  it('is closed when its connection is deleted; what it sent stays (ledger L-116, L-120)', async () => {
    const { connection_id } = (await books.register('shopfeed')).body;
    await books.send('shopfeed', 'po-1');
    const before = await books.events();
    const path = `${books.path}/${connection_id}`;
    const deleted = await run.owner.request('DELETE', path);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({
      success: true,
      message: expect.stringContaining("'shopfeed'"),
      data: { connection_id, disposition: 'disconnect' },
    });
    expect((await books.send('shopfeed', 'po-2')).status).toBe(422);
    expect(await books.events()).toEqual(before);
    expect(await books.list()).toEqual([]);
    const gone = [
      await run.owner.get(path),
      await run.owner.request('DELETE', path),
      await run.owner.post(`${path}/sync`),
      await run.owner.put(`${path}/write-policy`, { write_policy: 'native' }),
      await run.owner.post(`${books.path}/oauth/init`, { connection_id }),
    ];
    expect(gone.map(({ status, body }) => [status, body.code])).toEqual(gone.map(() => [404, 'NOT_FOUND']));
  });

  it('may be registered anew under the name of one that was deleted (ledger L-116)', async () => {
    const first = (await books.register('shopfeed')).body.connection_id;
    await books.send('shopfeed', 'po-1');
    await run.owner.request('DELETE', `${books.path}/${first}?disposition=disconnect`);
    const second = await books.register('shopfeed');
    expect(second.status).toBe(201);
    expect(second.body.connection_id).not.toBe(first);
    expect((await books.send('shopfeed', 'po-1')).status).toBe(409);
    expect((await books.send('shopfeed', 'po-2')).status).toBe(200);
    const withOldId = await books.send('shopfeed', 'po-3', { metadata: { connection_id: first } });
    expect(withOldId.status).toBe(422);
    expect(await books.events()).toHaveLength(2);
  });

  it('belongs to one graph (platform P-8)', async () => {
    const other = await openGraph(run.owner, `Other ${made}`);
    const { connection_id } = (await books.register('shopfeed')).body;
    expect((await other.send('shopfeed', 'po-1')).status).toBe(422);
    expect(await other.list()).toEqual([]);
    const path = `${other.path}/${connection_id}`;
    const answers = [await run.owner.get(path), await run.owner.request('DELETE', path)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect((await other.register('shopfeed')).status).toBe(201);
    expect((await books.send('shopfeed', 'po-1')).status).toBe(200);
    expect(await other.events()).toEqual([]);
  });
});

describe('the name of a source', () => {
  const wrong = ['', 'Shop', '1shop', '_shop', 'shop feed', 'shöp', 'a'.repeat(64)];
  const taken = ['manual', 'system', 'schedule', 'native', 'external', 'quickbooks', 'mercury', 'plaid'];

  it.each([...wrong, ...taken])('cannot be %j (ledger L-116)', async (name) => {
    const refused = await books.register(name);
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(refused.body.detail).toEqual([
      {
        loc: ['body', 'external_config', 'source_name'],
        msg: expect.any(String),
        type: taken.includes(name) ? 'value_error' : 'string_pattern_mismatch',
        input: name,
      },
    ]);
    expect(await books.list()).toEqual([]);
  });

  it.each(['a', 'shop-feed_2', 'a'.repeat(63)])('can be %j (ledger L-116)', async (name) => {
    expect((await books.register(name)).status).toBe(201);
  });

  it('is held by one live connection; a second one is refused (ledger L-115, L-116)', async () => {
    const first = await books.register('shopfeed');
    const second = await books.register('shopfeed', { display_name: 'Again' });
    expect([second.status, second.body.code]).toEqual([409, 'ALREADY_EXISTS']);
    expect(second.body.detail).toContain('shopfeed');
    expect(await books.list()).toEqual([first.body]);
    expect((await books.register('webshop')).status).toBe(201);
  });

  it('goes to one of many who ask for it at once (ledger L-116)', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => books.register('shopfeed')));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    expect(await books.list()).toEqual([answers.find(({ status }) => status === 201)?.body]);
  });
});

describe('a connection is refused', () => {
  it.each([
    ['without its configuration', { provider: 'external' }, ['body', 'external_config'], 'missing'],
    ['with null for it', { provider: 'external', external_config: null }, ['body', 'external_config'], 'missing'],
    ['without a provider', { external_config: { source_name: 'a' } }, ['body', 'provider'], 'missing'],
    ['with a provider that nobody knows', { provider: 'abacus' }, ['body', 'provider'], 'enum'],
    [
      'with a title that is too long',
      { provider: 'external', external_config: { source_name: 'a', display_name: 'x'.repeat(201) } },
      ['body', 'external_config', 'display_name'],
      'string_too_long',
    ],
  ])('%s (ledger L-115, platform E-3)', async (_case, body, loc, type) => {
    const refused = await run.owner.post(books.path, body);
    expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(refused.body.detail).toEqual([expect.objectContaining({ loc, type })]);
    expect(await books.list()).toEqual([]);
  });

  it.each(['quickbooks', 'mercury', 'plaid'])('to %s, which is not there (ledger L-115)', async (provider) => {
    const refused = await run.owner.post(books.path, { provider, external_config: { source_name: 'a' } });
    expect([refused.status, refused.body.code]).toEqual([403, 'PROVIDER_DISABLED']);
    expect(refused.body.detail).toContain('external');
    const callback = { code: 'c', state: 's' };
    expect((await run.owner.post(`${books.path}/oauth/callback/${provider}`, callback)).status).toBe(403);
    expect(await books.list()).toEqual([]);
  });

  it('for an entity that the graph does not have (ledger L-115)', async () => {
    const entityOf = async (graph: string): Promise<string> =>
      (await run.owner.graphql(graph, '{ entity { id } }')).body.data.entity.id;
    const other = await openGraph(run.owner, `Elsewhere ${made}`);
    const [own, foreign] = [await entityOf(books.graph), await entityOf(other.graph)];
    const request = (entity_id: string) => ({
      provider: 'external',
      entity_id,
      external_config: { source_name: 'shopfeed' },
    });
    const refused = await run.owner.post(books.path, request(foreign));
    expect([refused.status, refused.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(await books.list()).toEqual([]);
    expect((await run.owner.post(books.path, request(own))).body.entity_id).toBe(own);
  });

  it('beyond the hundred that a graph may have, also when many are asked for at once', async () => {
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
  }, 180_000);
});

describe('the list of connections', () => {
  it('is ordered by age and can be narrowed (ledger 6.1)', async () => {
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

  it('has the options of this deployment beside it (ledger 6.1)', async () => {
    const { status, body } = await run.owner.get(`${books.path}/options`);
    expect(status).toBe(200);
    expect(body.total_providers).toBe(1);
    expect(body.providers).toEqual([
      expect.objectContaining({ provider: 'external', auth_type: 'none', required_config: ['source_name'] }),
    ]);
  });
});

describe('what an external source has no use for', () => {
  let path: string;
  beforeEach(async () => {
    path = `${books.path}/${(await books.register('shopfeed')).body.connection_id}`;
  });

  it('is severing it (ledger L-120)', async () => {
    const before = await books.list();
    const refused = await run.owner.request('DELETE', `${path}?disposition=sever`);
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_INPUT']);
    expect((await run.owner.request('DELETE', `${path}?disposition=burn`)).status).toBe(422);
    expect(await books.list()).toEqual(before);
    expect((await books.send('shopfeed', 'po-1')).status).toBe(200);
  });

  it('is a write policy (ledger L-119)', async () => {
    const before = await books.list();
    for (const write_policy of ['native', 'qb_authoritative']) {
      const refused = await run.owner.put(`${path}/write-policy`, { write_policy });
      expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_INPUT']);
    }
    expect((await run.owner.put(`${path}/write-policy`, { write_policy: 'hybrid' })).status).toBe(422);
    const nowhere = await run.owner.put(`${books.path}/${unknown}/write-policy`, { write_policy: 'native' });
    expect(nowhere.status).toBe(404);
    expect(await books.list()).toEqual(before);
  });

  it('is an authorization (ledger L-117, L-118)', async () => {
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

  it('is a sync: it is completed at once and says so (ledger L-122)', async () => {
    const before = await books.list();
    const synced = await run.owner.post(`${path}/sync`, { full_rebuild: true });
    expect(synced.status).toBe(202);
    const connection_id = path.split('/').at(-1);
    expect(synced.body).toMatchObject({
      operation: 'sync-connection',
      status: 'completed',
      result: {
        connection_id,
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

  it('is replayed under its key, which another connection or body cannot use (platform N-20 to N-22)', async () => {
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
  it('say who sees, who syncs and who changes connections (platform P-10, P-13, P-15)', async () => {
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
