/** @module-tag sessions */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { contribute, defineOperation, definePlugin, model, sql } from '@pacioli/core';
import { fixedClock, startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kernelCategories, requestsPerMinute } from '../src/limits/categories.ts';
import type { KernelOperationAudit } from '../src/rows.gen.ts';
import { healthChecks } from '../src/services/status.ts';
import { notesPlugin } from './notes-plugin.ts';

const clock = fixedClock('2026-03-02T09:00:00Z');
let service: TestService;
let user: TestClient;
let graph: string;
let operations: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [notesPlugin], clock });
  user = await service.newUser('Ann');
  graph = await user.createGraph('Notes', ['notes']);
  operations = `/extensions/notes/${graph}/operations`;
});
afterAll(() => service.close());

/** An operation that waits for a worker. */
const waitingPlugin = definePlugin({
  name: 'waiting',
  title: 'Waiting',
  version: '1.0.0',
  kernel: '^0.1.0',
  domain: 'waiting',
  operations: [
    defineOperation({
      name: 'wait',
      summary: 'Waits for a worker.',
      openapi: { id: 'wait', tag: 'waiting' },
      mcp: { held: 'Only for tests.' },
      role: 'member',
      runs: 'worker',
      maxSeconds: 1,
      restartable: true,
      dedupe: false,
      input: model('WaitRequest', {}),
      output: model('WaitResponse', {}),
      handle: async () => ({}),
    }),
  ],
});

const texts = async (): Promise<readonly string[]> => {
  const answer = await user.graphql(graph, '{ noteList { noteText } }');
  return answer.body.data.noteList.map(({ noteText }: { noteText: string }) => noteText);
};

describe('an error of an operation', () => {
  it('has its keys in a fixed order, with the id of its audit row (platform E-2, N-4)', async () => {
    const refused = await user.post(`${operations}/add-note`, { text: 'refuse' });
    expect(refused.status).toBe(409);
    expect(Object.keys(refused.body)).toEqual(['detail', 'code', 'request_id', 'timestamp', 'operation_id']);
    const [row] = await service.store.transaction('kernel', (tx) =>
      tx.query(sql<Pick<KernelOperationAudit, 'status'>>`
        SELECT status FROM kernel_operation_audit WHERE operation_id = ${refused.body.operation_id}`),
    );
    expect(row).toEqual({ status: 'refused' });
  });
});

describe('an inline operation', () => {
  it('is executed again if it is repeated without a key (platform N-26)', async () => {
    const [first, second] = [
      await user.post(`${operations}/add-note`, { text: 'twice' }),
      await user.post(`${operations}/add-note`, { text: 'twice' }),
    ];
    expect(first.body.operationId).not.toBe(second.body.operationId);
    expect((await texts()).filter((text) => text === 'twice')).toHaveLength(2);
  });

  it('completes even if its caller has disconnected (platform N-11)', async () => {
    const { hostname, port } = new URL(service.url);
    const body = JSON.stringify({ text: 'left behind' });
    const lines = Object.entries(user.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(
      `POST ${operations}/add-note HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${lines.join('')}` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
      () => socket.destroy(),
    );
    await expect.poll(texts, { timeout: 300_000 }).toContain('left behind');
  });

  it('writes an audit row with caller, duration and a digest of the key, never the key (platform N-30)', async () => {
    const key = 'an-idempotency-key';
    const done = await user.post(`${operations}/add-note`, { text: 'audited' }, { 'idempotency-key': key });
    const [row] = await service.store.transaction('kernel', (tx) =>
      tx.query(sql<Record<string, unknown>>`
        SELECT operation, surface, status, key_hash, credential, graph_id, touched FROM kernel_operation_audit
        WHERE operation_id = ${done.body.operationId}`),
    );
    expect(row).toEqual({
      operation: 'add-note',
      surface: 'rest',
      status: 'completed',
      key_hash: createHash('sha256').update(key).digest('hex').slice(0, 16),
      credential: 'jwt',
      graph_id: graph,
      touched: { id: [done.body.result.id] },
    });
  });
});

describe('a stream', () => {
  it('has headers that prevent buffering by proxies, and is refused before it opens (platform V-1, V-2)', async () => {
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 0 });
    await user.follow(accepted.body.operationId);
    const path = `/v1/operations/${accepted.body.operationId}/stream`;
    const open = await fetch(`${service.url}${path}`, { headers: user.headers });
    expect(open.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(open.headers.get('cache-control')).toBe('no-cache');
    expect(open.headers.get('x-accel-buffering')).toBe('no');
    await open.body?.cancel();
    const stranger = await service.newUser('Stranger');
    expect((await stranger.get(path)).status).toBe(403);
    expect((await user.get('/v1/operations/op_01ARZ3NDEKTSV4RRFFQ69G5FAV/stream')).status).toBe(404);
    expect((await service.anonymous.get(path)).status).toBe(401);
  });
});

describe('an operation', () => {
  it('is deleted seven days after its end (platform L-16, L-20)', async () => {
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 2 });
    const path = `/v1/operations/${accepted.body.operationId}/status`;
    expect((await user.follow(accepted.body.operationId)).body.status).toBe('completed');
    const key = (await user.post('/v1/user/api-keys', { name: 'outlives sessions' })).body.key;
    const later = service.anonymous.withHeaders({ 'x-api-key': key });
    clock.advance(6 * 86_400_000);
    expect((await later.get(path)).status).toBe(200);
    clock.advance(2 * 86_400_000);
    await expect.poll(async () => (await later.get(path)).status, { timeout: 300_000 }).toBe(404);
    expect((await later.get(path)).body.detail).toBe('Operation not found. It may have expired.');
  });

  it('fails with a timeout error if it takes too long (platform L-14)', async () => {
    const slow = defineOperation({
      name: 'sleep-long',
      summary: 'Takes longer than it may.',
      role: 'member',
      runs: 'worker',
      maxSeconds: 1,
      restartable: false,
      openapi: { id: 'sleep_long', tag: 'slow' },
      mcp: { held: 'Only for tests.' },
      input: model('SleepLongRequest', {}),
      output: model('SleepLongResponse', { isOver: Type.Boolean() }),
      handle: () => new Promise<{ isOver: boolean }>(() => undefined),
    });
    const plugin = definePlugin({
      name: 'slow',
      title: 'Slow',
      version: '1.0.0',
      kernel: '^0.1.0',
      domain: 'slow',
      operations: [slow],
    });
    const own = await startTestService({ plugins: [plugin] });
    const sleeper = await own.newUser();
    const id = await sleeper.createGraph('Slow', ['slow']);
    const accepted = await sleeper.post(`/extensions/slow/${id}/operations/sleep-long`);
    expect((await sleeper.follow(accepted.body.operationId)).body).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^Task timed out after 1s/),
      error_details: { error_type: 'TimeoutError', timeout_seconds: 1, still_running: true },
    });
    await own.close();
  });

  it('is refused while its user has twenty open ones (platform L-22)', async () => {
    const own = await startTestService({ plugins: [], worker: false, settings: { orgs: { maxGraphs: -1 } } });
    const busy = await own.newUser();
    const order = { metadata: { graph_name: 'G' }, initial_entity: { name: 'G', uri: 'https://example.org/g' } };
    for (let number = 1; number <= 20; number += 1) expect((await busy.post('/v1/graphs', order)).status).toBe(202);
    const refused = await busy.post('/v1/graphs', order);
    expect([refused.status, refused.body.code]).toEqual([429, 'CONCURRENCY_LIMIT']);
    expect(refused.headers.get('retry-after')).toBe('5');
    await own.close();
  });

  it('is accepted at most twenty times per user across graphs, under concurrency (platform L-22)', async () => {
    const own = await startTestService({ plugins: [waitingPlugin], worker: false });
    const busy = await own.newUser();
    // Another service creates the graphs, so that afterwards no worker takes a run.
    const maker = await startTestService({ plugins: [waitingPlugin], store: own.store });
    const client = maker.anonymous.withHeaders(busy.headers);
    const graphs = [await client.createGraph('One', ['waiting']), await client.createGraph('Two', ['waiting'])];
    await maker.close();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        busy.post(`/extensions/waiting/${graphs[number % 2]}/operations/wait`, {}),
      ),
    );
    const accepted = answers.filter(({ body }) => body.status === 'pending');
    const refused = answers.filter(({ status, body }) => status === 429 && body.code === 'CONCURRENCY_LIMIT');
    expect([accepted.length, refused.length]).toEqual([20, 10]);
    await own.close();
  });
});

describe('the caller', () => {
  it('can read their own account with organization and role (platform A-12, U-1)', async () => {
    const fresh = await service.newUser('Mika');
    const me = await fresh.get('/v1/auth/me');
    expect(me.body).toMatchObject({ name: 'Mika', email_verified: true });
    const orgs = await fresh.get('/v1/orgs');
    expect(orgs.body).toMatchObject({ total: 1, orgs: [{ role: 'owner' }] });
  });

  it('is never authenticated by a key in the URL (platform K-7)', async () => {
    const fresh = await service.newUser('Kim');
    const { key } = (await fresh.post('/v1/user/api-keys', { name: 'k' })).body;
    for (const name of ['api_key', 'key', 'token', 'x-api-key'])
      expect((await service.anonymous.get(`/v1/user?${name}=${key}`)).status).toBe(401);
    expect((await service.anonymous.withHeaders({ 'x-api-key': key }).get('/v1/user')).status).toBe(200);
  });
});

describe('the deployment', () => {
  it('lists the loaded domains (platform T-8)', async () => {
    const fresh = await service.newUser('Lee');
    const listed = await fresh.get('/v1/graphs/extensions');
    expect(listed.body.extensions).toMatchObject([{ name: 'notes', enabled: true }]);
  });

  it('reports the health checks of its plugins, and hides the plugins if configured (platform H-2, H-3)', async () => {
    const checked = (essential: boolean) =>
      definePlugin({
        name: 'checked',
        title: 'Checked',
        version: '1.0.0',
        kernel: '^0.1.0',
        contributions: [contribute(healthChecks, 'engine', { create: () => ({ essential, run: async () => false }) })],
      });
    for (const [essential, status, ready] of [
      [false, 'degraded', 200],
      [true, 'unhealthy', 503],
    ] as const) {
      const own = await startTestService({
        plugins: [checked(essential)],
        settings: { status: { showPlugins: false } },
      });
      const response = await own.anonymous.get('/v1/status');
      expect([response.status, response.body.status]).toEqual([200, status]);
      expect(response.body.details).toMatchObject({ checks: { store: 'ok', engine: 'failing' } });
      expect(response.body.details).not.toHaveProperty('plugins');
      expect((await own.anonymous.get('/readyz')).status).toBe(ready);
      await own.close();
    }
  });

  it('allows a client to open sixty streams a minute (platform R-7)', () => {
    const category = kernelCategories.get('sse');
    expect(category === undefined ? 0 : requestsPerMinute(category, 'standard')).toBe(60);
  });
});
