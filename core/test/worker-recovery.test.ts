/** @module-tag sessions */
import { defineOperation, definePlugin, model, provide, sql } from '@pacioli/core';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterEach, describe, expect, it } from 'vitest';
import { operations } from '../src/jobs/operations.ts';
import { kernel } from '../src/services/kernel-tokens.ts';
import { kernelSettings } from '../src/settings/kernel-settings.ts';
import { operationStreams, StoredOperationStreams, streamLimits } from '../src/sse/streams.ts';
import { gates, notesPlugin } from './notes-plugin.ts';

let service: TestService;
afterEach(async () => {
  await service.close();
});

async function update(statement: ReturnType<typeof sql>): Promise<void> {
  await service.store.transaction('kernel', (tx) => tx.query(statement));
}

/** Starts a service and creates a user with a graph; without a worker, it inserts the row of the graph itself. */
async function start(worker: boolean): Promise<{ user: TestClient; path: string }> {
  service = await startTestService({ plugins: [notesPlugin], worker });
  const user = await service.newUser('Ann');
  if (!worker) {
    const accepted = await user.post('/v1/graphs', {
      metadata: { graph_name: 'Notes', schema_extensions: ['notes'] },
      initial_entity: { name: 'N', uri: 'https://example.org' },
    });
    await service.service.startWorker();
    const ended = await user.follow(accepted.body.operationId);
    return { user, path: `/extensions/notes/${ended.body.result.graph_id}/operations/copy-notes` };
  }
  return { user, path: `/extensions/notes/${await user.createGraph('Notes', ['notes'])}/operations/copy-notes` };
}

/** Reports two writes and then waits for its end. */
const writeTwice = defineOperation({
  name: 'write-twice',
  summary: 'Writes twice.',
  role: 'member',
  runs: 'worker',
  maxSeconds: 600,
  restartable: false,
  openapi: { id: 'write_twice', tag: 'receipts' },
  mcp: { held: 'Only for tests.' },
  input: model('WriteTwiceRequest', {}),
  output: model('WriteTwiceResponse', { isOver: Type.Boolean() }),
  async handle({ ctx }) {
    for (const id of ['a', 'b']) await ctx.report({ message: 'Written.', details: { write: { id } } });
    await ctx.report({ message: 'Waiting.' });
    return new Promise<{ isOver: boolean }>(() => undefined);
  },
});

const receiptsPlugin = definePlugin({
  name: 'receipts',
  title: 'Receipts',
  version: '1.0.0',
  kernel: '^0.1.0',
  domain: 'receipts',
  operations: [writeTwice],
});

/** Makes a run look as if its worker had died a minute ago. */
async function loseLease(operationId: string, lostBefore: number): Promise<void> {
  await update(sql`UPDATE kernel_operation SET lease_owner = 'wrk_dead', lease_until = now() - interval '1 minute', lost_count = ${lostBefore}
    WHERE id = ${operationId} AND status = 'running'`);
}

describe('a run whose worker has died', () => {
  it('is retried and completes under the same id (platform L-8)', async () => {
    const { user, path } = await start(false);
    let open: () => void = () => undefined;
    gates.set(
      'lost',
      new Promise((resolve) => {
        open = resolve;
      }),
    );
    const accepted = await user.post(path, { steps: 1, gate: 'lost' });
    const id = accepted.body.operationId;
    await expect
      .poll(async () => (await user.get(`/v1/operations/${id}/status`)).body.status, { timeout: 300_000 })
      .toBe('running');
    await loseLease(id, 0);
    open();
    const ended = await user.follow(id);
    expect(ended.body).toMatchObject({ status: 'completed', result: { copied: 1 } });
    const starts = [];
    for await (const frame of user.stream(`/v1/operations/${id}/stream`))
      if (frame.event === 'operation_started') starts.push(frame.data.attempt);
    expect(starts).toEqual([1, 2]);
  });

  it('fails as lost after the third time, which releases its key (platform L-8, N-24)', async () => {
    const { user, path } = await start(true);
    gates.set('never', new Promise(() => undefined));
    const key = { 'idempotency-key': 'lost-for-good' };
    const accepted = await user.post(path, { steps: 0, gate: 'never' }, key);
    const id = accepted.body.operationId;
    await expect
      .poll(async () => (await user.get(`/v1/operations/${id}/status`)).body.status, { timeout: 300_000 })
      .toBe('running');
    await loseLease(id, 2);
    expect((await user.follow(id)).body).toMatchObject({ status: 'failed', error: 'Worker lost' });
    gates.set('never', Promise.resolve());
    const again = await user.post(path, { steps: 0, gate: 'never' }, key);
    expect(again.body.operationId).not.toBe(id);
    expect((await user.follow(again.body.operationId)).body.status).toBe('completed');
  });

  it('fails with the receipts of its writes if it is not repeated (platform L-12, ai-surface 7.5)', async () => {
    service = await startTestService({ plugins: [receiptsPlugin] });
    const user = await service.newUser('Ann');
    const graphId = await user.createGraph('Receipts', ['receipts']);
    const { body } = await user.post(`/extensions/receipts/${graphId}/operations/write-twice`);
    const status = async () => (await user.get(`/v1/operations/${body.operationId}/status`)).body;
    await expect.poll(async () => (await status()).message, { timeout: 300_000 }).toBe('Waiting.');
    await loseLease(body.operationId, 0);
    expect((await user.follow(body.operationId)).body).toMatchObject({
      status: 'failed',
      error: 'Interrupted; not restarted',
      error_details: { writes: [{ id: 'a' }, { id: 'b' }] },
    });
  });
});

describe('a run whose worker stops in order', () => {
  it('is repeated as another attempt, which does not count as lost (platform H-5, L-8, L-10a)', async () => {
    const { user, path } = await start(true);
    let open: () => void = () => undefined;
    gates.set(
      'stopped',
      new Promise((resolve) => {
        open = resolve;
      }),
    );
    const { body } = await user.post(path, { steps: 1, gate: 'stopped' });
    const status = async () => (await user.get(`/v1/operations/${body.operationId}/status`)).body.status;
    await expect.poll(status, { timeout: 300_000 }).toBe('running');
    await service.service.drain();
    expect(await status()).toBe('pending');
    open();
    await service.service.startWorker();
    expect((await user.follow(body.operationId)).body.status).toBe('completed');
    const rows = await service.store.transaction('kernel', (tx) =>
      tx.query(sql`SELECT attempt, lost_count FROM kernel_operation WHERE id = ${body.operationId}`),
    );
    expect(rows).toEqual([{ attempt: 2, lost_count: 0 }]);
  });
});

describe('a role on a graph', () => {
  it('is checked against the role that a part declares (platform P-1, P-5, P-10, P-13)', async () => {
    const { user, path } = await start(true);
    const graphId = path.split('/')[3] ?? '';
    const viewer = await service.newUser('Vic');
    const { id: viewerId } = (await viewer.get('/v1/user')).body;
    await update(
      sql`INSERT INTO kernel_graph_user (graph_id, user_id, role, created_at) VALUES (${graphId}, ${viewerId}, 'viewer', now())`,
    );
    const operation = (name: string) => viewer.post(`/extensions/notes/${graphId}/operations/${name}`, { text: 'x' });
    expect((await viewer.post(`/extensions/notes/${graphId}/operations/count-notes`, {})).status).toBe(200);
    expect((await viewer.graphql(graphId, '{ noteList { id } }')).body.data.noteList).toEqual([]);
    const refused = await operation('add-note');
    expect(refused.status).toBe(403);
    expect(refused.body.detail).toMatch(/requires the member role/);
    expect((await user.graphql(graphId, '{ noteList { id } }')).body.data.noteList).toEqual([]);
    await update(sql`UPDATE kernel_graph_user SET role = 'member' WHERE user_id = ${viewerId}`);
    await expect.poll(async () => (await operation('add-note')).status, { timeout: 300_000 }).toBe(200);
  });
});

describe('an idle stream', () => {
  it('gets keepalive frames, and later events when they occur (platform V-7)', async () => {
    service = await startTestService({
      plugins: [notesPlugin],
      override: [
        provide(operationStreams, {
          services: { store: kernel.store, clock: kernel.clock, ids: kernel.ids, operations, settings: kernelSettings },
          create: (use) => new StoredOperationStreams(use, { ...streamLimits, keepaliveMs: 20 }),
          stop: (streams) => streams.close(),
        }),
      ],
    });
    const user = await service.newUser('Ann');
    const graphId = await user.createGraph('Notes', ['notes']);
    let open: () => void = () => undefined;
    gates.set(
      'silent',
      new Promise((resolve) => {
        open = resolve;
      }),
    );
    const accepted = await user.post(`/extensions/notes/${graphId}/operations/copy-notes`, {
      steps: 0,
      gate: 'silent',
    });
    let keepalives = 0;
    const events = [];
    for await (const frame of user.stream(`/v1/operations/${accepted.body.operationId}/stream`)) {
      if (frame.event === 'keepalive') keepalives += 1;
      else events.push(frame.event);
      if (keepalives === 3) open();
    }
    expect(keepalives).toBeGreaterThanOrEqual(3);
    expect(events.slice(-2)).toEqual(['operation_completed', 'stream_end']);
  });
});
