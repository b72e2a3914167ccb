import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gates, heard, notesPlugin } from './notes-plugin.ts';

let service: TestService;
let user: TestClient;
let graph: string;
let operations: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [notesPlugin], aliases: { notes: ['oldnotes'] } });
  user = await service.newUser('Ann');
  graph = await user.createGraph('Notes', ['notes']);
  operations = `/extensions/notes/${graph}/operations`;
});
afterAll(async () => {
  await service.close();
});

async function noteCount(): Promise<number> {
  return (await user.post(`${operations}/count-notes`)).body.result.count;
}

async function rowsOf(table: string, where: string): Promise<number> {
  const rows = await service.store.transaction('kernel', (tx) =>
    tx.query(sql<{ count: number }>`SELECT count(*) AS count FROM ${sql.table(table)} WHERE ${sql.raw(where)}`),
  );
  return rows[0]?.count ?? 0;
}

describe('the envelope of an inline operation', () => {
  it('has all seven fields, and its id is readable afterwards (platform N-1, N-2, N-5)', async () => {
    const answer = await user.post(`${operations}/add-note`, { text: 'first' });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual([
      'at',
      'createdBy',
      'idempotentReplay',
      'operation',
      'operationId',
      'result',
      'status',
    ]);
    expect(answer.body).toMatchObject({
      operation: 'add-note',
      status: 'completed',
      idempotentReplay: false,
      result: { text: 'first' },
    });
    expect(answer.body.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const status = await user.get(`/v1/operations/${answer.body.operationId}/status`);
    expect(status.body).toMatchObject({ status: 'completed', operation_type: 'add-note', result: answer.body.result });
  });

  it('answers under the names that the host gives to the domain', async () => {
    const answer = await user.post(`/extensions/oldnotes/${graph}/operations/add-note`, { text: 'through the alias' });
    expect(answer.status).toBe(200);
  });

  it('is written with its audit row, or not at all (platform N-10, N-31)', async () => {
    const before = await noteCount();
    const refused = await user.post(`${operations}/add-note`, { text: 'refuse' });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'NOTE_REFUSED', detail: 'This note is refused.' });
    expect(await noteCount()).toBe(before);
    expect(await rowsOf('kernel_operation', `id = '${refused.body.operation_id}'`)).toBe(0);
    expect(
      await rowsOf('kernel_operation_audit', `operation_id = '${refused.body.operation_id}' AND status = 'failed'`),
    ).toBe(1);
  });

  it('hides what an unexpected error says (platform E-8)', async () => {
    const answer = await user.post(`${operations}/add-note`, { text: 'explode' });
    expect(answer.status).toBe(500);
    expect(answer.body.detail).toBe('Internal server error');
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  it('delivers its events to jobs after the commit, and none of a refused one (platform N-12)', async () => {
    const answer = await user.post(`${operations}/add-note`, { text: 'announced' });
    await expect.poll(() => heard, { timeout: 20_000 }).toContain(answer.body.result.id);
    const refused = await user.post(`${operations}/add-note`, { text: 'refuse' });
    expect(heard.some((id) => id.includes(refused.body.operation_id))).toBe(false);
  });
});

describe('an Idempotency-Key', () => {
  it('replays the same envelope for the same body, also when a default was left out (platform N-21, N-22)', async () => {
    const key = { 'idempotency-key': 'replay-1' };
    const first = await user.post(`${operations}/add-note`, { text: 'once' }, key);
    const second = await user.post(`${operations}/add-note`, { amount: 0, text: 'once' }, key);
    expect(second.body).toEqual({ ...first.body, idempotentReplay: true });
    expect(second.status).toBe(first.status);
  });

  it('is refused with another body (platform N-21)', async () => {
    const key = { 'idempotency-key': 'reuse-1' };
    await user.post(`${operations}/add-note`, { text: 'one' }, key);
    const other = await user.post(`${operations}/add-note`, { text: 'two' }, key);
    expect(other.status).toBe(409);
    expect(other.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('runs a command once however many callers race with it', async () => {
    const before = await noteCount();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        user.post(`${operations}/add-note`, { text: 'raced' }, { 'idempotency-key': 'race-1' }),
      ),
    );
    const ids = new Set(answers.filter((answer) => answer.status === 200).map((answer) => answer.body.operationId));
    expect(ids.size).toBe(1);
    expect(
      answers.every(
        (answer) => answer.status === 200 || (answer.status === 409 && answer.body.code !== 'IDEMPOTENCY_KEY_REUSED'),
      ),
    ).toBe(true);
    expect(await noteCount()).toBe(before + 1);
  });

  it('is released by a failed command (platform N-24)', async () => {
    const key = { 'idempotency-key': 'release-1' };
    expect((await user.post(`${operations}/add-note`, { text: 'refuse' }, key)).status).toBe(409);
    expect((await user.post(`${operations}/add-note`, { text: 'now fine' }, key)).status).toBe(200);
  });

  it('belongs to one user, one graph and one operation (platform N-20)', async () => {
    const key = { 'idempotency-key': 'scope-1' };
    const first = await user.post(`${operations}/add-note`, { text: 'mine' }, key);
    const other = await user.createGraph('Other notes', ['notes']);
    const second = await user.post(`/extensions/notes/${other}/operations/add-note`, { text: 'other' }, key);
    expect(second.status).toBe(200);
    expect(second.body.operationId).not.toBe(first.body.operationId);
  });

  it('keeps the answer of a view as old as the key (platform N-25)', async () => {
    const key = { 'idempotency-key': 'view-1' };
    const first = await user.post(`${operations}/count-notes`, {}, key);
    await user.post(`${operations}/add-note`, { text: 'after the count' });
    const second = await user.post(`${operations}/count-notes`, {}, key);
    expect(second.body).toEqual({ ...first.body, idempotentReplay: true });
    expect(await noteCount()).toBe(first.body.result.count + 1);
  });

  it.each(['', 'with space', 'ü', 'x'.repeat(256)])('is refused when it is %j (platform N-20)', async (text) => {
    const answer = await user.post(
      `${operations}/add-note`,
      { text: 'bad key' },
      { 'idempotency-key': encodeURI(text) === text ? text : 'a\tb' },
    );
    expect(answer.status).toBe(422);
    expect(typeof answer.body.detail).toBe('string');
  });
});

describe('a bad request for an operation', () => {
  it('is refused in the order of platform N-7: credential, role, body', async () => {
    expect((await service.anonymous.post(`${operations}/add-note`, '{')).status).toBe(401);
    const stranger = await service.newUser('Stranger');
    const denied = await stranger.post(`${operations}/add-note`, '{');
    expect(denied.status).toBe(403);
    expect((await stranger.post('/extensions/notes/kg00000000000000000000/operations/add-note', {})).body.detail).toBe(
      denied.body.detail,
    );
    expect((await user.post('/extensions/notes/no-graph/operations/add-note', {})).status).toBe(422);
  });

  it('names the place of malformed JSON (platform E-6)', async () => {
    const answer = await user.post(`${operations}/add-note`, '{"text": ');
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({ type: 'json_invalid' });
  });

  it('is refused with another content type (platform E-6)', async () => {
    const answer = await user.request('POST', `${operations}/add-note`, 'text=1', { 'content-type': 'text/plain' });
    expect(answer.status).toBe(415);
  });

  it('is refused over ten megabytes (platform E-6)', async () => {
    const answer = await user.post(`${operations}/add-note`, { text: 'x'.repeat(10 * 1024 * 1024) });
    expect(answer.status).toBe(413);
    expect(answer.body.detail).toContain('10485760');
  });

  it('counts an empty body as {} (platform N-8)', async () => {
    const answer = await user.post(`${operations}/add-note`, '');
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toBe('text: Field required');
  });

  it('refuses unknown fields only where the model is closed (platform E-12)', async () => {
    expect((await user.post(`${operations}/add-note`, { text: 'ok', unknown: 1 })).status).toBe(200);
    expect((await user.post(`${operations}/count-notes`, { unknown: 1 })).body.errors[0].type).toBe('extra_forbidden');
  });

  it('is refused on a graph without the domain (platform N-7)', async () => {
    const bare = await user.createGraph('Bare', []);
    const answer = await user.post(`/extensions/notes/${bare}/operations/add-note`, { text: 'x' });
    expect(answer.status).toBe(403);
    expect(answer.body.code).toBe('EXTENSION_NOT_PROVISIONED');
  });
});

describe('GraphQL', () => {
  it('reads one graph, with camelCase names', async () => {
    const answer = await user.graphql(graph, '{ noteList(startingWith: "once") { id noteText due } hello }');
    expect(answer.body.data.noteList).toHaveLength(1);
    expect(answer.body.data.noteList[0]).toMatchObject({ noteText: 'once', due: '2026-03-31' });
    expect(answer.body.data.hello).toContain('@example.org');
  });

  it('answers 200 with a code for each kind of mistake (platform E-20, E-22)', async () => {
    const codeOf = async (query: string) => (await user.graphql(graph, query)).body.errors[0].extensions.code;
    expect(await codeOf('{ noteList {')).toBe('GRAPHQL_PARSE_FAILED');
    expect(await codeOf('{ nothing }')).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(await codeOf(`{ ${Array.from({ length: 31 }, (_v, i) => `a${i}: hello`).join(' ')} }`)).toBe(
      'QUERY_TOO_COMPLEX',
    );
    expect(await codeOf(`{ ${'hello '.repeat(2001)} }`)).toBe('QUERY_TOO_COMPLEX');
  });

  it('lets nobody read without a credential, but introspect (platform E-21)', async () => {
    const anonymous = await service.anonymous.graphql(graph, '{ noteList { id } }');
    expect(anonymous.status).toBe(200);
    expect(anonymous.body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect(
      (await service.anonymous.graphql(graph, '{ __schema { queryType { name } } }')).body.data.__schema.queryType.name,
    ).toBe('Query');
    expect(
      (await service.anonymous.withHeaders({ authorization: 'Bearer nonsense' }).graphql(graph, '{ hello }')).status,
    ).toBe(401);
    const stranger = await service.newUser('Stranger');
    expect((await stranger.graphql(graph, '{ hello }')).status).toBe(403);
  });

  it('marks the analytical graph stale with the first write (ledger L-10)', async () => {
    const fresh = await user.createGraph('Fresh', ['notes']);
    await service.store.transaction({ graphId: fresh }, (tx) =>
      tx.query(sql`UPDATE kernel_graph SET stale_since = NULL, stale_reason = NULL`),
    );
    await user.post(`/extensions/notes/${fresh}/operations/add-note`, { text: 'x' });
    expect(await rowsOf('kernel_graph', `graph_id = '${fresh}' AND stale_reason = 'note_added'`)).toBe(1);
  });
});

describe('a worker run', () => {
  it('is accepted as pending, ends completed, and tells its story without gaps (platform L-1 to L-5, V-3, V-4)', async () => {
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 2 });
    expect(accepted.status).toBe(202);
    expect(accepted.body).toMatchObject({ status: 'pending', operation: 'copy-notes' });
    const ended = await user.follow(accepted.body.operationId);
    expect(ended.body).toMatchObject({
      status: 'completed',
      result: { copied: 2 },
      progress: { percentage: 20, current_step: 2 },
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

  it('goes on from Last-Event-ID or from_sequence, whichever is later (platform V-5, V-6)', async () => {
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
    expect((await user.get(`/v1/operations/${accepted.body.operationId}/stream?from_sequence=-1`)).status).toBe(422);
  });

  it('shows live progress to a watcher that came first', async () => {
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

  it('takes five streams of a user and refuses the sixth (platform V-9)', async () => {
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
        { timeout: 20_000 },
      )
      .toBe(200);
    open();
    for (const controller of controllers) controller.abort();
  });

  it('fails with the message of its domain error and frees its key (platform L-6, L-15, N-24)', async () => {
    const key = { 'idempotency-key': 'worker-fail' };
    const first = await user.post(`${operations}/copy-notes`, { steps: 5 }, key);
    const ended = await user.follow(first.body.operationId);
    expect(ended.body).toMatchObject({ status: 'failed', error: 'Five steps are too many.' });
    const second = await user.post(`${operations}/copy-notes`, { steps: 5 }, key);
    expect(second.body.operationId).not.toBe(first.body.operationId);
  });

  it('is the same run for two equal requests within half a minute (platform N-13)', async () => {
    const first = await user.post(`${operations}/copy-notes`, { steps: 3 });
    const second = await user.post(`${operations}/copy-notes`, { steps: 3 });
    expect(second.body.operationId).toBe(first.body.operationId);
  });

  it('replays its pending envelope under a key (platform N-21, N-24)', async () => {
    const key = { 'idempotency-key': 'worker-replay' };
    const first = await user.post(`${operations}/copy-notes`, { steps: 4 }, key);
    await user.follow(first.body.operationId);
    const second = await user.post(`${operations}/copy-notes`, { steps: 4 }, key);
    expect(second.body).toEqual({ ...first.body, idempotentReplay: true });
  });

  it('is cancelled once, ends its stream, and frees its key (platform L-7, L-18, N-24)', async () => {
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

  it('waits for an answer, checks it, and goes on with it (platform L-3, L-4, L-19, X-6)', async () => {
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 1, ask: true });
    const waiting = await user.follow(accepted.body.operationId);
    expect(waiting.body).toMatchObject({
      status: 'awaiting_input',
      input_request: { prompt: 'Which colour?', checkpoint: { step: 1 } },
    });
    expect(waiting.body._links.resume).toContain('/resume');
    const path = `/v1/operations/${accepted.body.operationId}/resume`;
    expect((await user.post(path, { input: { colour: 7 } })).status).toBe(422);
    const resumed = await user.post(path, { input: { colour: 'green' } });
    expect(resumed.status).toBe(202);
    expect(resumed.body.status).toBe('pending');
    expect((await user.post(path, { input: { colour: 'blue' } })).status).toBe(409);
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

  it('belongs to the user who started it (platform L-16)', async () => {
    const accepted = await user.post(`${operations}/copy-notes`, { steps: 2, gate: 'mine' });
    const stranger = await service.newUser('Stranger');
    expect((await stranger.get(`/v1/operations/${accepted.body.operationId}/status`)).status).toBe(403);
    expect((await stranger.get('/v1/operations/op_01ARZ3NDEKTSV4RRFFQ69G5FAV/status')).status).toBe(404);
    expect((await stranger.get('/v1/operations/nonsense/status')).status).toBe(422);
  });
});
