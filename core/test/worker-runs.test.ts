/** @module-tag sessions */
import type { Caller, Log } from '@pacioli/core';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations as storedRuns } from '../src/jobs/operations.ts';
import { gates, notesPlugin } from './notes-plugin.ts';

let service: TestService;
let user: TestClient;
let graph: string;
let operations: string;
const logged: { readonly message: string; readonly reason: string }[] = [];
const error = (message: string, fields: object = {}): void => {
  logged.push({ message, reason: 'error' in fields ? String(fields.error) : '' });
};
const log: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error };

beforeAll(async () => {
  service = await startTestService({ plugins: [notesPlugin], log, aliases: { notes: ['oldnotes'] } });
  user = await service.newUser('Ann');
  graph = await user.createGraph('Notes', ['notes']);
  operations = `/extensions/notes/${graph}/operations`;
});
afterAll(async () => {
  await service.close();
});

describe('a worker run', () => {
  it('is accepted as pending, completes, and has events without gaps (platform L-1 to L-5, V-3, V-4)', async () => {
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 2 });
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({ status: 'pending', operation: 'copy-notes' });
    const ended = await user.follow(accepted.body.operationId);
    expect(ended.body).toMatchObject({
      status: 'completed',
      result: { copied: 2 },
      progress: { percentage: 100, current_step: 2 },
    });
    const frames = [];
    for await (const frame of user.stream(`/v1/operations/${accepted.body.operationId}/stream?from_sequence=0`))
      frames.push(frame);
    expect(frames.map((frame) => [frame.id, frame.event])).toEqual([
      [undefined, 'connected'],
      ['1', 'operation_started'],
      ['2', 'operation_progress'],
      ['3', 'operation_progress'],
      ['4', 'operation_completed'],
      [undefined, 'stream_end'],
    ]);
    expect(frames[2]?.data).toMatchObject({
      sequence_number: 2,
      message: 'step 1',
      progress_percent: 10,
      percentage: 10,
      operation_id: accepted.body.operationId,
    });
    expect(frames.at(-1)?.data.status).toBe('completed');
  });

  it('streams from Last-Event-ID or from_sequence, whichever is later (platform V-5, V-6)', async () => {
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 1 });
    await user.follow(accepted.body.operationId);
    const idsOf = async (client: TestClient, query: string) => {
      const ids = [];
      for await (const frame of client.stream(`/v1/operations/${accepted.body.operationId}/stream${query}`))
        if (frame.id !== undefined) ids.push(Number(frame.id));
      return ids;
    };
    expect(await idsOf(user.withHeaders({ 'last-event-id': '2' }), '?from_sequence=1')).toEqual([3]);
    expect(await idsOf(user.withHeaders({ 'last-event-id': '1' }), '?from_sequence=3')).toEqual([3]);
    expect(await idsOf(user, '?from_sequence=9')).toEqual([]);
    expect(await idsOf(user, '?from_sequence=9007199254740991')).toEqual([]);
    expect((await user.get(`/v1/operations/${accepted.body.operationId}/stream?from_sequence=-1`)).status).toBe(422);
  });

  it('streams live progress to an earlier watcher', async () => {
    let open: () => void = () => undefined;
    gates.set(
      'live',
      new Promise((resolve) => {
        open = resolve;
      }),
    );
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 1, gate: 'live' });
    const seen = [];
    for await (const frame of user.stream(`/v1/operations/${accepted.body.operationId}/stream`)) {
      seen.push(frame.event);
      if (frame.event === 'operation_progress') open();
    }
    expect(seen.filter((event) => event !== 'queue_update')).toEqual([
      'connected',
      'operation_started',
      'operation_progress',
      'operation_completed',
      'stream_end',
    ]);
  });

  it('allows five streams per user and refuses the sixth (platform V-9)', async () => {
    let open: () => void = () => undefined;
    gates.set(
      'streams',
      new Promise((resolve) => {
        open = resolve;
      }),
    );
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 0, gate: 'streams' });
    const path = `/v1/operations/${accepted.body.operationId}/stream`;
    const controllers = Array.from({ length: 5 }, () => new AbortController());
    const readers = controllers.map((controller) => user.stream(path, controller.signal));
    for (const reader of readers) expect((await reader.next()).value?.event).toBe('connected');
    const sixth = await user.get(path);
    expect(sixth.status).toBe(429);
    expect(sixth.body).toMatchObject({
      code: 'CONCURRENCY_LIMIT',
      detail: 'Too many concurrent SSE connections (limit: 5)',
    });
    expect(sixth.headers.get('retry-after')).toBe('5');
    controllers[0]?.abort();
    await expect
      .poll(
        async () => {
          const controller = new AbortController();
          const again = await fetch(`${service.url}${path}`, { headers: user.headers, signal: controller.signal });
          const { status } = again;
          controller.abort();
          return status;
        },
        { timeout: 300_000 },
      )
      .toBe(200);
    open();
    for (const controller of controllers) controller.abort();
  });

  it('fails with the message of its domain error and releases its key (platform L-6, L-15, N-24)', async () => {
    const key = { 'idempotency-key': 'worker-fail' };
    const first = await user.post(`${operations}/copy-notes`, { steps: 5 }, key);
    const ended = await user.follow(first.body.operationId);
    expect(ended.body).toMatchObject({ status: 'failed', error: 'Five steps are too many.' });
    const second = await user.post(`${operations}/copy-notes`, { steps: 5 }, key);
    expect(second.body.operationId).not.toBe(first.body.operationId);
  });

  it('fails as an internal error, in tests, with a code that it does not declare (platform X-9c)', async () => {
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 6 });
    const { operationId } = accepted.body;
    expect((await user.follow(operationId)).body).toMatchObject({
      status: 'failed',
      error: `Operation failed — reference ${operationId}`,
    });
    expect(logged).toContainEqual({
      message: 'a run failed',
      reason: expect.stringContaining('copy-notes fails with NOTE_TORN, which it does not declare.'),
    });
  });

  it('shows U+0000 of its texts as an escape, which the store can keep (platform L-15, V-3)', async () => {
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 0, gate: 'U+0000' });
    const { operationId } = accepted.body;
    const details = { code: 'INVALID_INPUT', 'k\\u0000': '\\u0000' };
    expect((await user.follow(operationId)).body).toMatchObject({
      status: 'failed',
      error: 'Wrong: a\\u0000b',
      error_details: details,
    });
    const events = [];
    for await (const { event, data } of user.stream(`/v1/operations/${operationId}/stream?from_sequence=2`))
      if (event?.startsWith('operation_')) events.push({ event, ...data });
    expect(events).toMatchObject([
      { event: 'operation_progress', message: 'a\\u0000b' },
      { event: 'operation_error', error: 'Wrong: a\\u0000b', error_details: details },
    ]);
  });

  it('fails with a plain text at once when its own error cannot be stored (platform L-8, L-15)', async () => {
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 0, gate: 'bigint' });
    const { operationId } = accepted.body;
    expect((await user.follow(operationId)).body).toMatchObject({
      status: 'failed',
      error: `Operation failed — reference ${operationId}`,
    });
    expect(logged.map(({ message }) => message)).toContain('the failure of a run could not be stored');
  });

  it('is shared by two equal requests within 30 seconds (platform N-13)', async () => {
    const first = await user.post(`${operations}/copy-notes`, { steps: 3 });
    const others = await Promise.all(
      Array.from({ length: 6 }, () => user.post(`${operations}/copy-notes`, { steps: 3 })),
    );
    expect(new Set(others.map((other) => other.body.operationId))).toEqual(new Set([first.body.operationId]));
  });

  it('replays its pending envelope for a key (platform N-21, N-24)', async () => {
    const key = { 'idempotency-key': 'worker-replay' };
    const first = await user.post(`${operations}/copy-notes`, { steps: 4 }, key);
    await user.follow(first.body.operationId);
    const second = await user.post(`${operations}/copy-notes`, { steps: 4 }, key);
    expect(second.body).toEqual({ ...first.body, idempotentReplay: true });
  });

  it('is distinct for each row in its path (platform N-13, N-21)', async () => {
    const bind = (notebook: string, headers = {}) =>
      user.post(`/v1/graphs/${graph}/notebooks/${notebook}/bind`, {}, headers);
    const [red, blue] = [await bind('red'), await bind('blue')];
    expect(red.body.operationId).not.toBe(blue.body.operationId);
    expect((await user.follow(red.body.operationId)).body.result).toEqual({ bound: 'red' });
    expect((await user.follow(blue.body.operationId)).body.result).toEqual({ bound: 'blue' });
    const key = { 'idempotency-key': 'worker-path' };
    const first = await bind('green', key);
    expect((await bind('green', key)).body).toEqual({ ...first.body, idempotentReplay: true });
    const reused = await bind('red', key);
    expect([reused.status, reused.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('is not created if the acceptance has nothing to do (platform N-2, N-3, N-5, N-10)', async () => {
    const path = `/v1/graphs/${graph}/notebooks/empty/bind`;
    const key = { 'idempotency-key': 'worker-nothing' };
    const done = await user.post(path, {}, key);
    expect(done.status).toBe(202);
    expect(done.body).toMatchObject({ status: 'completed', result: { bound: 'nothing' }, idempotentReplay: false });
    const status = await user.get(`/v1/operations/${done.body.operationId}/status`);
    expect(status.body).toMatchObject({ status: 'completed', result: { bound: 'nothing' } });
    expect((await user.post(path, {}, key)).body).toEqual({ ...done.body, idempotentReplay: true });
  });

  it('can be canceled once, which ends its stream and releases its key (platform L-7, L-18, N-24)', async () => {
    let open: () => void = () => undefined;
    gates.set(
      'cancel',
      new Promise((resolve) => {
        open = resolve;
      }),
    );
    const key = { 'idempotency-key': 'worker-cancel' };
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 0, gate: 'cancel' }, key);
    const path = `/v1/operations/${accepted.body.operationId}`;
    const cancelled = await user.request('DELETE', path);
    expect(cancelled.body).toMatchObject({ cancelled: true, status: 'cancelled' });
    expect((await user.request('DELETE', path)).status).toBe(409);
    open();
    const frames = [];
    for await (const frame of user.stream(`${path}/stream`)) frames.push(frame.event);
    expect(frames.slice(-2)).toEqual(['operation_cancelled', 'stream_end']);
    expect((await user.get(`${path}/status`)).body.status).toBe('cancelled');
    const again = await user.post(`${operations}/copy-notes`, { steps: 0, gate: 'cancel' }, key);
    expect(again.body.operationId).not.toBe(accepted.body.operationId);
  });

  it('waits for an answer, validates it, and resumes with it (platform L-3, L-4, L-19, X-6)', async () => {
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 1, ask: true });
    const waiting = await user.follow(accepted.body.operationId);
    expect(waiting.body).toMatchObject({
      status: 'awaiting_input',
      input_request: { prompt: 'Which color?', checkpoint: { step: 1 } },
    });
    expect(waiting.body._links.resume).toContain('/resume');
    const path = `/v1/operations/${accepted.body.operationId}/resume`;
    expect((await user.post(path, { input: { color: 7 } })).status).toBe(422);
    const resumed = await user.post(path, { input: { color: 'green' } });
    expect(resumed.status).toBe(202);
    expect(resumed.body.status).toBe('pending');
    expect((await user.post(path, { input: { color: 'blue' } })).status).toBe(409);
    const ended = await user.follow(accepted.body.operationId);
    expect(ended.body).toMatchObject({ status: 'completed', result: { answer: 'green' } });
    const events = [];
    for await (const frame of user.stream(`/v1/operations/${accepted.body.operationId}/stream`))
      if (frame.id !== undefined) events.push([frame.id, frame.event]);
    expect(events).toEqual([
      ['1', 'operation_started'],
      ['2', 'operation_awaiting_input'],
      ['3', 'operation_resumed'],
      ['4', 'operation_started'],
      ['5', 'operation_progress'],
      ['6', 'operation_completed'],
    ]);
  });

  it('takes an answer only to the question of the attempt that is named (platform L-10a, L-19)', async () => {
    const { operationId } = (await user.post(`${operations}/copy-notes`, { steps: 0, ask: true })).body;
    await user.follow(operationId);
    const { id: userId, email, name } = (await user.get('/v1/user')).body;
    const caller: Caller = { userId, email, name, credential: 'jwt' };
    const answer = (attempt: number) =>
      service.service.services.resolve(storedRuns).resume(caller, operationId, { color: 'red' }, attempt);
    await expect(answer(0)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await answer(1)).toMatchObject({ status: 'pending' });
  });

  it('belongs to the user who started it (platform L-16)', async () => {
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 2, gate: 'mine' });
    const stranger = await service.newUser('Stranger');
    expect((await stranger.get(`/v1/operations/${accepted.body.operationId}/status`)).status).toBe(403);
    expect((await stranger.get('/v1/operations/op_01ARZ3NDEKTSV4RRFFQ69G5FAV/status')).status).toBe(404);
    expect((await stranger.get('/v1/operations/nonsense/status')).status).toBe(422);
  });
});
