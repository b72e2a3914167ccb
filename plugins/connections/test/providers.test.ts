import { contribute, definePlugin, ServiceError, sql, toolCatalog } from '@pacioli/core';
import graph from '@pacioli/graph';
import { joinTeam, type TestClient } from '@pacioli/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectionProvider, connectionProviders, type NewConnection } from '../src/index.ts';
import type { ConnectionsConnection } from '../src/rows.gen.ts';
import {
  type ConnectedGraph,
  type ConnectedService,
  type Loose,
  openGraph,
  startConnected,
} from './connections-fixture.ts';

/** A provider of whole books, as another plugin would contribute it; tests replace its pull. */
let pull: NonNullable<ConnectionProvider['pull']>;
let opened: NewConnection['status'];
const told: unknown[] = [];
const bookkeeper = definePlugin({
  name: 'bookkeeper',
  title: 'A provider of whole books',
  version: '0.1.0',
  kernel: '^0.1.0',
  dependsOn: ['connections'],
  contributions: [
    contribute(connectionProviders, 'quickbooks', {
      create: () => ({
        info: {
          display_name: 'Books elsewhere',
          description: 'Keeps whole books.',
          auth_type: 'oauth' as const,
          required_config: ['entity_id'],
          features: [],
          data_types: [],
        },
        keepsBooks: true,
        open: async () => ({ status: opened, slot: '', slotName: 'any account', sourceName: null, metadata: {} }),
        pull: (args) => pull(args),
        authorization: {
          begin: async ({ connection, caller, request }) => {
            told.push(['begin', connection.id, caller.userId, request.redirect_uri]);
            return { state: 'once', expires_at: '2026-05-02T08:10:00Z', auth_url: 'https://books.example/let-in' };
          },
          complete: async ({ tx, request, now }) => {
            const [row] = await tx.query(sql<Pick<ConnectionsConnection, 'id'>>`
              UPDATE connections_connection SET status = 'connected', updated_at = ${now} RETURNING id`);
            told.push(['complete', request.code]);
            return { success: true, message: 'Connected.', connection_id: row?.id ?? '' };
          },
        },
        deleted: async ({ connection, disposition }) => {
          told.push(['deleted', connection.id, disposition]);
        },
      }),
    }),
  ],
});

let run: ConnectedService;
let books: ConnectedGraph;
let made = 0;
beforeAll(async () => {
  run = await startConnected(graph, bookkeeper);
});
afterAll(() => run.service.close());
beforeEach(async () => {
  made += 1;
  opened = 'connected';
  pull = async () => ({ events_captured: 0 });
  told.length = 0;
  books = await openGraph(run.owner, `Books ${made}`);
});

async function connect(): Promise<{ readonly id: string; readonly path: string }> {
  const { status, body } = await run.owner.post(books.path, { provider: 'quickbooks' });
  expect([status, body.write_policy, body.source_name]).toEqual([201, 'qb_authoritative', null]);
  return { id: body.connection_id, path: `${books.path}/${body.connection_id}` };
}

const closeApril = (): Promise<Loose> =>
  run.owner.post(`/extensions/roboledger/${books.graph}/operations/close-period`, { period: '2026-04' });

describe('a provider of another plugin', () => {
  it('is offered, and a graph can connect to it once (ledger L-115)', async () => {
    const options = (await run.owner.get(`${books.path}/options`)).body;
    expect(options.providers.map((each: Loose) => each.provider)).toEqual(['external', 'quickbooks']);
    const { path } = await connect();
    const second = await run.owner.post(books.path, { provider: 'quickbooks' });
    expect([second.status, second.body.code]).toEqual([409, 'ALREADY_EXISTS']);
    expect((await books.register('shopfeed')).status).toBe(201);
    expect((await books.list()).map((each: Loose) => each.provider).sort()).toEqual(['external', 'quickbooks']);
    await run.owner.request('DELETE', path);
    await connect();
  });

  it('is an event source only after it is authorized (ledger L-84, L-117, L-118)', async () => {
    opened = 'pending_oauth';
    const { id, path } = await connect();
    expect((await books.send('quickbooks', 'Invoice_1')).status).toBe(422);
    expect((await run.owner.post(`${path}/sync`)).status).toBe(400);
    const redirectUri = 'https://app.example/back';
    const init = await run.owner.post(`${books.path}/oauth/init`, { connection_id: id, redirect_uri: redirectUri });
    expect([init.status, init.body.auth_url]).toEqual([200, 'https://books.example/let-in']);
    const denied = { code: '', state: 'once', error: 'access_denied', error_description: 'The owner said no' };
    const callback = `${books.path}/oauth/callback/quickbooks`;
    const refused = await run.owner.post(callback, denied);
    expect([refused.status, refused.body.detail]).toEqual([400, 'OAuth authorization failed: The owner said no']);
    expect((await run.owner.get(path)).body.status).toBe('pending_oauth');
    const done = await run.owner.post(callback, { code: 'c-1', state: 'once' });
    expect([done.status, done.body.connection_id]).toEqual([200, id]);
    expect(told).toEqual([
      ['begin', id, expect.any(String), redirectUri],
      ['complete', 'c-1'],
    ]);
    expect((await run.owner.get(path)).body.status).toBe('connected');
    expect((await books.send('quickbooks', 'Invoice_1')).status).toBe(200);
  });

  it('blocks the close until a sync has loaded (ledger 7.3, L-121)', async () => {
    await connect();
    const refused = await closeApril();
    expect([refused.status, refused.body.details.blockers]).toEqual([422, ['sync_stale']]);
    const { path } = await connectionOf('quickbooks');
    const { operationId } = (await run.owner.post(`${path}/sync`)).body;
    expect((await run.owner.follow(operationId)).body.status).toBe('completed');
    expect((await closeApril()).status).toBe(200);
  });

  it('accepts a write policy that the API defines and no other (ledger L-119)', async () => {
    const { path } = await connect();
    expect((await run.owner.put(`${path}/write-policy`, { write_policy: 'hybrid' })).status).toBe(422);
    expect((await run.owner.get(path)).body.write_policy).toBe('qb_authoritative');
    const changed = await run.owner.put(`${path}/write-policy`, { write_policy: 'native' });
    expect([changed.status, changed.body.write_policy]).toEqual([200, 'native']);
  });

  it.each(['disconnect', 'sever'] as const)(
    'is notified when its connection is deleted: %s (ledger L-120)',
    async (disposition) => {
      const { id, path } = await connect();
      expect((await run.owner.request('DELETE', `${path}?disposition=${disposition}`)).status).toBe(200);
      expect(told).toEqual([['deleted', id, disposition]]);
      expect(await books.list()).toEqual([]);
    },
  );

  async function connectionOf(provider: string): Promise<{ readonly path: string }> {
    const found = (await books.list()).find((each: Loose) => each.provider === provider);
    return { path: `${books.path}/${found.connection_id}` };
  }
});

describe('sync-connection', () => {
  it('starts a run that can be followed and records the time of the load (ledger L-121, L-122)', async () => {
    const { id, path } = await connect();
    pull = async ({ connection, request }) => ({ events_captured: 3, of: connection.id, since: request.since_date });
    const accepted = await run.owner.post(`${path}/sync`, { since_date: '2026-01-01' });
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({
      status: 'pending',
      result: { connection_id: id, task_id: accepted.body.operationId, status: 'pending' },
    });
    const ended = await run.owner.follow(accepted.body.operationId);
    expect(ended.body.result).toEqual({ connection_id: id, events_captured: 3, of: id, since: '2026-01-01' });
    const { body } = await run.owner.get(path);
    expect(body).toMatchObject({ status: 'connected', last_sync: '2026-05-02T08:00:00.000Z' });
    expect(body.metadata.last_sync_result).toEqual({ events_captured: 3, of: id, since: '2026-01-01' });
  });

  it('is refused while another sync of the connection runs (ledger L-122)', async () => {
    const { path } = await connect();
    let end = (): void => undefined;
    pull = () =>
      new Promise((resolve) => {
        end = () => resolve({});
      });
    const first = await run.owner.post(`${path}/sync`);
    await expect
      .poll(async () => (await run.owner.get(`/v1/operations/${first.body.operationId}/status`)).body.status, {
        timeout: 300_000,
      })
      .toBe('running');
    const second = await run.owner.post(`${path}/sync`);
    expect([second.status, second.body.detail]).toEqual([409, expect.stringContaining('Sync already in progress')]);
    end();
    expect((await run.owner.follow(first.body.operationId)).body.status).toBe('completed');
    pull = async () => ({});
    const third = await run.owner.post(`${path}/sync`);
    expect(third.status).toBe(202);
    expect((await run.owner.follow(third.body.operationId)).body.status).toBe('completed');
  });

  it('reports a failure, keeps the time of the last load and can be retried (ledger 6.1, L-121, L-123)', async () => {
    const { path } = await connect();
    const sync = async (): Promise<Loose> =>
      (await run.owner.follow((await run.owner.post(`${path}/sync`)).body.operationId)).body.status;
    expect(await sync()).toBe('completed');
    run.clock.advance(60_000);
    pull = async () => {
      throw new ServiceError('upstream', 'PROVIDER_ERROR', 'The provider does not answer.');
    };
    expect(await sync()).toBe('failed');
    expect((await run.owner.get(path)).body).toMatchObject({
      status: 'error',
      last_sync: expect.stringMatching(/^2026/),
    });
    const failed = (await run.owner.get(path)).body.last_sync;
    pull = async () => ({});
    run.clock.advance(60_000);
    expect(await sync()).toBe('completed');
    const { body } = await run.owner.get(path);
    expect(body.status).toBe('connected');
    expect(Date.parse(body.last_sync) - Date.parse(failed)).toBe(120_000);
  });

  it.each(['disconnect', 'sever'])(
    'prevents deleting the connection while it runs: %s (ledger L-120)',
    async (disposition) => {
      const { id, path } = await connect();
      let end = (): void => undefined;
      const pulling = new Promise<void>((begun) => {
        pull = () =>
          new Promise((resolve) => {
            end = () => resolve({});
            begun();
          });
      });
      const { operationId } = (await run.owner.post(`${path}/sync`)).body;
      await pulling;
      const before = await books.list();
      const refused = await run.owner.request('DELETE', `${path}?disposition=${disposition}`);
      expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('Sync already in progress')]);
      expect(await books.list()).toEqual(before);
      expect(told).toEqual([]);
      end();
      expect((await run.owner.follow(operationId)).body.status).toBe('completed');
      expect((await run.owner.request('DELETE', `${path}?disposition=${disposition}`)).status).toBe(200);
      expect(told).toEqual([['deleted', id, disposition]]);
    },
  );

  it('reports the provider’s error even if recording the failure fails (ledger L-123)', async () => {
    const { path } = await connect();
    pull = async ({ ctx }) => {
      Object.assign(ctx, { transaction: () => Promise.reject(new Error('The store is away.')) });
      throw new ServiceError('upstream', 'PROVIDER_ERROR', 'The provider does not answer.');
    };
    const { operationId } = (await run.owner.post(`${path}/sync`)).body;
    const ended = await run.owner.follow(operationId);
    expect([ended.body.status, JSON.stringify(ended.body)]).toEqual([
      'failed',
      expect.stringContaining('does not answer'),
    ]);
  });

  it('is refused until the account is authorized again (ledger 6.1, L-122)', async () => {
    const { path } = await connect();
    pull = async () => {
      throw new ServiceError('upstream', 'NEEDS_REAUTH', 'The provider does not take the credentials any more.');
    };
    const { operationId } = (await run.owner.post(`${path}/sync`)).body;
    expect((await run.owner.follow(operationId)).body.status).toBe('failed');
    const before = (await run.owner.get(path)).body;
    expect(before.status).toBe('needs_reauth');
    const refused = await run.owner.post(`${path}/sync`);
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining('Reconnect the account')]);
    expect((await run.owner.get(path)).body).toEqual(before);
  });

  it('requires a member (platform P-13)', async () => {
    const { path } = await connect();
    const { client, userId } = await joinTeam(run.service, run.owner);
    await run.owner.post(`/v1/graphs/${books.graph}/members`, { user_id: userId, role: 'viewer' });
    expect((await client.post(`${path}/sync`)).status).toBe(403);
    expect((await run.owner.get(path)).body.last_sync).toBeNull();
  });
});

describe('the tools of connections', () => {
  const catalog = () => run.service.service.services.resolve(toolCatalog);
  const callerOf = async (client: TestClient) => {
    const { id, name } = (await client.get('/v1/user')).body;
    return { userId: id, email: '', name, credential: 'jwt' } as const;
  };
  const call = async (name: string, given: object = {}, client: TestClient = run.owner) => {
    const { signal } = new AbortController();
    const graphId = books.graph;
    const caller = await callerOf(client);
    const called = await catalog().call({ caller, graphId, name, arguments: given, source: 'mcp', signal });
    return { ...called, body: called.code === 'not_available' ? undefined : JSON.parse(called.text) };
  };
  const teammate = async (role: string): Promise<TestClient> => {
    const { client, userId } = await joinTeam(run.service, run.owner);
    await run.owner.post(`/v1/graphs/${books.graph}/members`, { user_id: userId, role });
    return client;
  };

  it('tell each reader how the last sync of a connection ended (ai-surface M-53)', async () => {
    const viewer = await teammate('viewer');
    const loadedAt = run.clock.now().toISOString();
    expect((await call('get-graph-sync-status', {}, viewer)).body).toEqual({
      graph_id: books.graph,
      connections: [],
      analytical_graph: { materialized_at: null, is_stale: false, stale_since: null, stale_reason: null },
    });
    const { id, path } = await connect();
    await books.register('shopfeed');
    expect((await books.send('shopfeed', 'payout-1')).status).toBe(200);
    const { connections: before, analytical_graph: graphState } = (await call('get-graph-sync-status', {}, viewer))
      .body;
    expect(graphState).toMatchObject({ is_stale: true, stale_since: loadedAt, stale_reason: expect.any(String) });
    expect(before.map((each: Loose) => each.last_run)).toEqual([null, null]);
    const synced = await run.owner.post(`${path}/sync`);
    await run.owner.follow(synced.body.operationId);
    const loaded = (await call('get-graph-sync-status', {}, viewer)).body.connections;
    expect(loaded.find((each: Loose) => each.connection_id === id)).toMatchObject({
      status: 'connected',
      last_sync: loadedAt,
      metadata: { last_sync_result: { events_captured: 0 } },
      last_run: { operation_id: synced.body.operationId, status: 'completed', error: null },
    });
    pull = async () => {
      throw new ServiceError('upstream', 'PROVIDER_ERROR', 'The provider does not answer.');
    };
    await run.owner.follow((await run.owner.post(`${path}/sync`)).body.operationId);
    const failed = (await call('get-graph-sync-status', {}, viewer)).body.connections;
    expect(failed.find((each: Loose) => each.connection_id === id)).toMatchObject({
      status: 'error',
      last_sync: loadedAt,
      last_run: { status: 'failed', error: 'The provider does not answer.' },
    });
  });

  it('change the write policy for admins alone (ai-surface M-54, ledger L-119)', async () => {
    const { id, path } = await connect();
    const policy = async () => (await run.owner.get(path)).body.write_policy;
    const given = { connection_id: id, write_policy: 'native' };
    for (const role of ['viewer', 'member'])
      expect(await call('set-write-policy', given, await teammate(role))).toMatchObject({ code: 'not_available' });
    expect(await policy()).toBe('qb_authoritative');
    for (let times = 0; times < 2; times += 1)
      expect((await call('set-write-policy', given)).body).toMatchObject({ connection_id: id, write_policy: 'native' });
    expect(await policy()).toBe('native');
    expect((await call('set-write-policy', { ...given, write_policy: 'hybrid' })).code).toBe('invalid_input');
    expect((await call('set-write-policy', { ...given, connection_id: 'conn_none' })).code).toBe('not_found');
    const shop = (await books.register('shopfeed')).body.connection_id;
    expect(await call('set-write-policy', { ...given, connection_id: shop })).toMatchObject({ code: 'invalid_input' });
    expect(await policy()).toBe('native');
  });
});
