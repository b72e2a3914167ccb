/** @module-tag sessions */

import { setImmediate } from 'node:timers/promises';
import { defineNode, defineOperation, definePlugin, kernel, model, operationRuns, sql } from '@pacioli/core';
import { silentLog } from '@pacioli/core/assembly';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import graph, { graphBuilder } from '../index.ts';
import { type ReleaseServices, releaseEndedBuilds } from '../refresh/index.ts';
import type { GraphGeneration } from '../rows.gen.ts';

// Goal: a graph has one build at a time, however builds start and end. Method: two services over one store simulate two
// API processes; runs are queued until a test starts a worker.
const keys: string[] = [];
const Thing = defineNode('Thing', {
  extension: 'samples',
  async *rows() {
    yield keys.map((identifier) => ({ identifier }));
  },
});
/** True to offer rows of the second table without an end. */
const endless = { isOn: false };
/** Settled when the progress of the first table was refused; undefined while none is. */
let refusedProgress: Promise<void> | undefined;
const Other = defineNode('Other', {
  extension: 'samples',
  async *rows() {
    if (refusedProgress !== undefined) await refusedProgress.then(() => setImmediate());
    for (let number = 0; endless.isOn; number += 1) {
      await setImmediate();
      yield [{ identifier: `o${number}` }];
    }
  },
});
/** Builds a graph as `materialize` does, but its progress is refused as that of a canceled run is. */
const withoutProgress = defineOperation({
  name: 'build-without-progress',
  summary: 'Builds the graph while no progress of tables can be written.',
  role: 'member',
  input: model('BuildWithoutProgress', {}),
  output: model('BuiltWithoutProgress', { message: Type.String() }),
  openapi: { id: 'build_without_progress', tag: 'samples' },
  mcp: { held: 'Only for tests.' },
  runs: 'worker',
  maxSeconds: 60,
  restartable: true,
  services: { graphBuilder },
  async handle({ ctx, use }) {
    const { graph: of, operationId: run, signal, now, transaction } = ctx;
    if (of === undefined) throw new Error('It builds a graph.');
    let refuse: () => void = () => undefined;
    refusedProgress = new Promise((resolve) => {
      refuse = resolve;
    });
    const report = async ({ message }: { readonly message?: string }): Promise<void> => {
      if (message?.startsWith('Loaded') !== true) return;
      refuse();
      throw new Error('The run was canceled.');
    };
    const build = { graph: of, run, source: 'extensions', isForced: true, signal, now, transaction, report } as const;
    const { message } = await use.graphBuilder.build(build);
    return { message };
  },
});
const samples = definePlugin({
  name: 'samples',
  title: 'Samples',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'samples',
  dependsOn: ['graph'],
  operations: [withoutProgress],
  nodes: [Thing, Other],
});

describe('materialize', () => {
  let first: TestService;
  let second: TestService;
  let user: TestClient;
  let elsewhere: TestClient;
  let graphId: string;
  let path: string;

  beforeEach(async () => {
    keys.splice(0, keys.length, 't1');
    endless.isOn = false;
    refusedProgress = undefined;
    first = await startTestService({ plugins: [graph, samples], worker: false });
    second = await startTestService({ plugins: [graph, samples], worker: false, store: first.store });
    user = await first.newUser('Ada');
    elsewhere = second.anonymous.withHeaders(user.headers);
    const created = await user.post('/v1/graphs', {
      metadata: { graph_name: 'Samples', schema_extensions: ['samples'] },
      initial_entity: { name: 'Samples', uri: 'https://example.org/samples' },
    });
    const creation = await startTestService({ plugins: [graph, samples], store: first.store });
    graphId = (await user.follow(created.body.operationId)).body.result.graph_id;
    await creation.close();
    path = `/v1/graphs/${graphId}/operations/materialize`;
  });
  afterEach(async () => {
    await second.close();
    await first.close();
  });

  const update = (statement: ReturnType<typeof sql>) => first.store.transaction('kernel', (tx) => tx.query(statement));

  it('accepts one of several concurrent requests to two processes and refuses the others (graphs M-2)', async () => {
    const answers = await Promise.all(
      [user, elsewhere, user, elsewhere, user, elsewhere].map((client) => client.post(path, { force: true })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ code: 'MATERIALIZATION_IN_PROGRESS' });
    expect(refused?.body.detail).toContain('Materialization already in progress for this graph');
    await first.service.startWorker();
    const accepted = answers.find(({ status }) => status === 202);
    expect((await user.follow(accepted?.body.operationId)).body.status).toBe('completed');
    expect((await elsewhere.post(path, {})).status).toBe(202);
  });

  it('replays the envelope for the same key while its run is open, also for concurrent requests (graphs M-2)', async () => {
    const key = { 'idempotency-key': 'one-build' };
    const answers = await Promise.all(
      [user, elsewhere, user, elsewhere].map((client) => client.post(path, { force: true }, key)),
    );
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(new Set(answers.map(({ body }) => body.operationId)).size).toBe(1);
    expect(answers.filter(({ body }) => body.idempotentReplay)).toHaveLength(3);
    expect((await user.post(path, { force: true })).status).toBe(409);
  });

  it('accepts the next request after the open run is canceled (graphs M-2)', async () => {
    const accepted = await user.post(path, {});
    expect((await elsewhere.post(path, {})).status).toBe(409);
    const cancelled = await user.request('DELETE', `/v1/operations/${accepted.body.operationId}`);
    expect(cancelled.status).toBe(200);
    expect((await elsewhere.post(path, {})).status).toBe(202);
  });

  it('accepts the next request after a build fails (graphs M-2, M-24)', async () => {
    keys.push('t1');
    await first.service.startWorker();
    const failed = await user.follow((await user.post(path, {})).body.operationId);
    expect(failed.body).toMatchObject({ status: 'failed', error_details: { code: 'ROWS_REJECTED' } });
    keys.pop();
    const next = await user.post(path, {});
    expect((await user.follow(next.body.operationId)).body.status).toBe('completed');
  });

  it('stops reading the next table when the rows of a table are rejected (graphs M-10, M-24)', async () => {
    keys.push('t1');
    endless.isOn = true;
    await first.service.startWorker();
    const failed = await user.follow((await user.post(path, {})).body.operationId);
    expect(failed.body).toMatchObject({ status: 'failed', error_details: { code: 'ROWS_REJECTED' } });
    endless.isOn = false;
    keys.pop();
    const next = await user.follow((await user.post(path, {})).body.operationId);
    expect(next.body).toMatchObject({ status: 'completed', result: { total_rows: 1 } });
  });

  it('leaves no rejection unhandled when progress is refused while the next table is read (platform L-13)', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    await first.service.startWorker();
    const started = await user.post(`/extensions/samples/${graphId}/operations/build-without-progress`, {});
    const ended = await user.follow(started.body.operationId);
    process.off('unhandledRejection', note);
    expect([ended.body.status, unhandled]).toEqual(['completed', []]);
  });

  it('reports a build whose workers died, accepts the next request and builds it (graphs H-4, M-2, M-22)', async () => {
    const lost = (await user.post(path, {})).body.operationId;
    // Simulates a worker killed after it started the build, for the third time.
    await update(sql`UPDATE kernel_operation SET status = 'running', attempt = 3, lost_count = 2, lease_owner = 'wrk_dead',
      lease_until = now() - interval '1 minute' WHERE id = ${lost}`);
    await first.store.transaction({ graphId }, (tx) =>
      tx.query(sql`INSERT INTO graph_generation (graph_id, active, last_number, builder, taken_reason)
        VALUES (${graphId}, 0, 1, ${lost}, 'entity_updated')`),
    );
    expect((await elsewhere.post(path, {})).status).toBe(409);
    await first.service.startWorker();
    expect((await user.follow(lost)).body).toMatchObject({ status: 'failed', error: 'Worker lost' });
    const health = async () => (await user.get(`/v1/graphs/${graphId}/health`)).body;
    const alerts = expect.arrayContaining(['The last rebuild failed: Worker lost']);
    expect(await health()).toMatchObject({ alerts, is_stale: true });
    const services = { store: kernel.store, graphs: kernel.graphs, runs: operationRuns };
    const releasing = first.service.services.useFor(services) as unknown as ReleaseServices;
    const signal = new AbortController().signal;
    await releaseEndedBuilds(releasing, { now: () => new Date(), signal, log: silentLog });
    expect(await health()).toMatchObject({ alerts, stale_reason: 'entity_updated' });
    const next = await user.follow((await elsewhere.post(path, {})).body.operationId);
    expect(next.body).toMatchObject({ status: 'completed', result: { stale_reason: 'entity_updated' } });
  });

  it('releases a build whose run was removed with its mark, and not a restore (graphs M-22)', async () => {
    const services = { store: kernel.store, graphs: kernel.graphs, runs: operationRuns };
    const releasing = first.service.services.useFor(services) as unknown as ReleaseServices;
    const release = async (builder: string) => {
      await first.store.transaction({ graphId }, (tx) =>
        tx.query(sql`INSERT INTO graph_generation (graph_id, active, last_number, builder, taken_reason)
          VALUES (${graphId}, 0, 1, ${builder}, 'entity_updated')
          ON CONFLICT (graph_id) DO UPDATE SET builder = excluded.builder, taken_reason = excluded.taken_reason`),
      );
      await releaseEndedBuilds(releasing, {
        now: () => new Date(),
        signal: new AbortController().signal,
        log: silentLog,
      });
      const [row] = await first.store.transaction({ graphId }, (tx) =>
        tx.query(
          sql<Pick<GraphGeneration, 'builder'>>`SELECT builder FROM graph_generation WHERE graph_id = ${graphId}`,
        ),
      );
      return row?.builder;
    };
    expect(await release('restore_01M86PKE37PT5R9E1P35JQHZHK')).toBe('restore_01M86PKE37PT5R9E1P35JQHZHK');
    expect(await release('op_01M86PKE37PT5R9E1P35JQHZHK')).toBeNull();
    expect((await user.get(`/v1/graphs/${graphId}/health`)).body.stale_reason).toBe('entity_updated');
  });

  it('allows a dry run during an open build and validates the request first (graphs M-1, M-3)', async () => {
    expect((await user.post(path, {})).status).toBe(202);
    expect((await elsewhere.post(path, { dry_run: true })).status).toBe(202);
    expect((await elsewhere.post(path, { source: 'staged' })).status).toBe(400);
  });
});
