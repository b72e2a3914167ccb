/** @module-tag sessions */
import { silentLog } from '@pacioli/core/assembly';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { heard, notesPlugin } from './notes-plugin.ts';

let service: TestService;
let user: TestClient;
let graph: string;
let operations: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [notesPlugin], aliases: { notes: ['oldnotes'] }, log: silentLog });
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
  it('has all seven fields, and its operation can be read afterwards (platform N-1, N-2, N-5)', async () => {
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

  it('is served under the aliases that the host gives to the domain', async () => {
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
      await rowsOf('kernel_operation_audit', `operation_id = '${refused.body.operation_id}' AND status = 'refused'`),
    ).toBe(1);
  });

  it('hides the message of an unexpected error (platform E-8)', async () => {
    const answer = await user.post(`${operations}/add-note`, { text: 'explode' });
    expect(answer.status).toBe(500);
    expect(answer.body.detail).toBe('Internal server error');
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  it('delivers its events to jobs after the commit, and none if it is refused (platform N-12)', async () => {
    const answer = await user.post(`${operations}/add-note`, { text: 'announced' });
    await expect.poll(() => heard, { timeout: 300_000 }).toContain(answer.body.result.id);
    const refused = await user.post(`${operations}/add-note`, { text: 'refuse' });
    expect(heard.some((id) => id.includes(refused.body.operation_id))).toBe(false);
  });
});

describe('an Idempotency-Key', () => {
  it('replays the same envelope for the same body, even if a default was omitted (platform N-21, N-22)', async () => {
    const key = { 'idempotency-key': 'replay-1' };
    const first = await user.post(`${operations}/add-note`, { text: 'once' }, key);
    const second = await user.post(`${operations}/add-note`, { amount: 0, text: 'once' }, key);
    expect(second.body).toEqual({ ...first.body, idempotentReplay: true });
    expect(second.status).toBe(first.status);
  });

  it('is refused with a different body (platform N-21)', async () => {
    const key = { 'idempotency-key': 'reuse-1' };
    await user.post(`${operations}/add-note`, { text: 'one' }, key);
    const other = await user.post(`${operations}/add-note`, { text: 'two' }, key);
    expect(other.status).toBe(409);
    expect(other.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('runs an operation once for several concurrent requests', async () => {
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

  it('is released by a failed operation (platform N-24)', async () => {
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

  it('returns the stored response of a view to all concurrent requests (platform N-25)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => user.post(`${operations}/count-notes`, {}, { 'idempotency-key': 'view-race-1' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.operationId)).size).toBe(1);
  });

  it('starts a new run after it expired, even before its row is removed (platform N-23)', async () => {
    const key = { 'idempotency-key': 'expired-1' };
    const calls = () => [
      user.post(`${operations}/count-notes`, {}, key),
      user.post(`${operations}/add-note`, { text: 'again' }, key),
    ];
    const before = await Promise.all(calls());
    await service.store.transaction('kernel', (tx) =>
      tx.query(sql`UPDATE kernel_idempotency SET expires_at = now() - interval '1 minute'
        WHERE operation_id IN (${sql.join(before.map(({ body }) => body.operationId))})`),
    );
    const after = await Promise.all(calls());
    expect(after.map(({ status, body }) => [status, body.idempotentReplay])).toEqual([
      [200, false],
      [200, false],
    ]);
    const again = await Promise.all(calls());
    expect(again.map(({ body }) => body.operationId)).toEqual(after.map(({ body }) => body.operationId));
  });

  it('replays the first response of a view (platform N-25)', async () => {
    const key = { 'idempotency-key': 'view-1' };
    const first = await user.post(`${operations}/count-notes`, {}, key);
    await user.post(`${operations}/add-note`, { text: 'after the count' });
    const second = await user.post(`${operations}/count-notes`, {}, key);
    expect(second.body).toEqual({ ...first.body, idempotentReplay: true });
    expect(await noteCount()).toBe(first.body.result.count + 1);
  });

  it.each(['', 'with space', 'ü', 'x'.repeat(256)])('is refused if it is %j (platform N-20)', async (text) => {
    const answer = await user.post(
      `${operations}/add-note`,
      { text: 'bad key' },
      { 'idempotency-key': encodeURI(text) === text ? text : 'a\tb' },
    );
    expect(answer.status).toBe(422);
    expect(typeof answer.body.detail).toBe('string');
  });
});

describe('an invalid request for an operation', () => {
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

  it('reports the position of malformed JSON (platform E-6)', async () => {
    const answer = await user.post(`${operations}/add-note`, '{"text": ');
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([{ loc: ['body', 9], msg: 'JSON decode error', type: 'json_invalid' }]);
    expect(answer.body.detail).toBe('body: JSON decode error at character 10. Send valid JSON.');
  });

  it('is refused with another content type (platform E-6)', async () => {
    const answer = await user.request('POST', `${operations}/add-note`, 'text=1', { 'content-type': 'text/plain' });
    expect(answer.status).toBe(415);
  });

  it('is refused above ten megabytes (platform E-6)', async () => {
    const answer = await user.post(`${operations}/add-note`, { text: 'x'.repeat(10 * 1024 * 1024) });
    expect(answer.status).toBe(413);
    expect(answer.body.detail).toContain('10485760');
  });

  it('is refused if it is nested too deeply, or has text or numbers that cannot be stored', async () => {
    const bomb = await user.post(`${operations}/add-note`, `{"text": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
    expect(bomb.status).toBe(422);
    expect(bomb.body.errors[0].msg).toContain('Nested deeper than 100 levels');
    const zero = await user.post(`${operations}/add-note`, { text: 'a\u0000b' });
    expect(zero.status).toBe(422);
    expect(zero.body.detail).toContain('cannot be stored');
    const infinite = await user.post(`${operations}/add-note`, '{"text": "x", "more": {"rate": 1e400}}');
    expect([infinite.status, infinite.body.detail]).toEqual([
      422,
      'more.rate: Too large: numbers are at most about 1.8e308',
    ]);
  });

  it('counts an empty body as {} (platform N-8)', async () => {
    const answer = await user.post(`${operations}/add-note`, '');
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toBe('text: Field required');
  });

  it('is refused for unknown fields only if the model is closed (platform E-12)', async () => {
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

  it('responds with 200 and a code for each kind of error (platform E-20, E-22)', async () => {
    const codeOf = async (query: string) => (await user.graphql(graph, query)).body.errors[0].extensions.code;
    expect(await codeOf('{ noteList {')).toBe('GRAPHQL_PARSE_FAILED');
    expect(await codeOf('{ nothing }')).toBe('GRAPHQL_VALIDATION_FAILED');
    const wrong = await user.graphql(graph, 'query ($a: String) { noteList(startingWith: $a) { id } }', { a: 7 });
    expect(wrong.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(await codeOf(`{ ${Array.from({ length: 31 }, (_v, i) => `a${i}: hello`).join(' ')} }`)).toBe(
      'QUERY_TOO_COMPLEX',
    );
    expect(await codeOf(`{ ${'hello '.repeat(2001)} }`)).toBe('QUERY_TOO_COMPLEX');
  });

  it('allows introspection but no reads without a credential (platform E-21)', async () => {
    const anonymous = await service.anonymous.graphql(graph, '{ noteList { id } }');
    expect(anonymous.status).toBe(200);
    expect(anonymous.body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
    expect((await service.anonymous.graphql(graph, '{ hello }')).body.data.hello).toContain('Hello');
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
