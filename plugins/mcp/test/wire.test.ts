import { describe, expect, it } from 'vitest';
import { controls } from './fixture-plugin.ts';
import { statusWith } from './status-with.ts';
import { graphId, key, path, ping, send, service, useEndpoint, user } from './wire-fixture.ts';

useEndpoint();

/** The status of a ping with headers that fetch would not send. */
const statusFor = (headers: Readonly<Record<string, string>>) =>
  statusWith(`${service.url}${path}`, { 'Content-Type': 'application/json', 'X-API-Key': key, ...headers }, ping);

describe('the gate of the MCP endpoint', () => {
  it('refuses pages of other origins before it looks at credentials (ai-surface M-2)', async () => {
    const refused = await send({ headers: { Origin: 'https://evil.example' }, isAnonymous: true });
    expect(refused).toMatchObject({ status: 403, body: { id: null, error: { message: 'Origin not allowed' } } });
    expect((await send({ headers: { Origin: 'https://app.example.org' } })).status).toBe(200);
  });

  it('refuses a foreign name that was pointed at this machine (ai-surface M-2)', async () => {
    expect(await statusFor({ Host: 'evil.example' })).toBe(403);
    expect(await statusFor({ Host: 'evil.example', Origin: 'http://evil.example' })).toBe(403);
  });

  it('refuses pages of a foreign name that the request is sent to, also behind a proxy (ai-surface M-2)', async () => {
    // A page can send this header, as a reverse proxy does.
    const forwarded = { 'X-Forwarded-For': '203.0.113.9' };
    expect(await statusFor({ Host: 'evil.example', Origin: 'http://evil.example', ...forwarded })).toBe(403);
    expect(await statusFor({ Host: 'books.example', ...forwarded }), 'a program behind a proxy').toBe(200);
  });

  it('accepts pages of the loopback name that the request is sent to (ai-surface M-2)', async () => {
    const { port } = new URL(service.url);
    for (const name of ['localhost', '127.0.0.1', '[::1]'])
      expect(await statusFor({ Host: `${name}:${port}`, Origin: `http://${name}:${port}` }), name).toBe(200);
    for (const origin of [
      'http://localhost',
      'http://localhost:1',
      `https://localhost:${port}`,
      `http://[::1]:${port}`,
    ])
      expect(await statusFor({ Host: `localhost:${port}`, Origin: origin }), origin).toBe(403);
  });

  it('accepts application/json only, with any parameters (ai-surface M-2)', async () => {
    const refused = await send({ headers: { 'Content-Type': 'text/plain' }, isAnonymous: true });
    expect(refused).toMatchObject({
      status: 415,
      body: { error: { message: 'Content-Type must be application/json' } },
    });
    expect((await send({ headers: { 'Content-Type': 'application/json; charset=utf-8' } })).status).toBe(200);
  });

  it('accepts a body of 1 MiB and refuses a longer one (ai-surface M-2)', async () => {
    const filled = (bytes: number): string => {
      const empty = JSON.stringify({ ...ping, params: { text: '' } });
      return JSON.stringify({ ...ping, params: { text: 'x'.repeat(bytes - empty.length) } });
    };
    expect((await send({ body: filled(1024 * 1024) })).status).toBe(200);
    expect((await send({ body: filled(1024 * 1024 + 1) })).status).toBe(413);
  });

  it('refuses a client that accepts neither JSON nor event streams (ai-surface M-3)', async () => {
    expect((await send({ headers: { Accept: 'text/html' } })).status).toBe(406);
    for (const accept of ['application/json', 'text/event-stream', '*/*'])
      expect((await send({ headers: { Accept: accept } })).status).toBe(200);
  });

  it.each([
    ['{', -32700, 'Parse error: request body is not valid JSON'],
    ['[]', -32600, 'Invalid request: JSON-RPC batching is not supported'],
    ['3', -32600, 'Invalid request: expected a JSON-RPC object'],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, 'Invalid request: jsonrpc must be "2.0"'],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, 'Invalid request: id must be a string or a number'],
  ])('refuses the body %s (ai-surface M-4, M-7)', async (body, code, message) => {
    expect(await send({ body, isAnonymous: true })).toMatchObject({
      status: 400,
      body: { jsonrpc: '2.0', id: null, error: { code, message } },
    });
  });

  it('accepts a message of 100 levels and refuses a deeper one (ai-surface M-7a)', async () => {
    const nested = (levels: number) =>
      `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"deep":${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}}}`;
    expect((await send({ body: nested(100) })).body).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    for (const levels of [101, 2_800, 400_000])
      expect(await send({ body: nested(levels) })).toMatchObject({
        status: 200,
        body: { id: 7, error: { code: -32602, message: 'Invalid params: body: Nested deeper than 100 levels' } },
      });
  });

  it.each([
    ['9007199254740993', 'Has more digits than a number can keep: it would become 9007199254740992'],
    ['1e400', 'Too large: numbers are at most about 1.8e308'],
    ['"\\u0000"', 'Contains a character that cannot be stored: U+0000 or an unpaired surrogate'],
  ])('refuses the argument %s with its place (ai-surface M-7a)', async (value, reason) => {
    const params = `{"name":"echo","arguments":{"text":${value}}}`;
    const { body } = await send({ body: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}` });
    expect(body.error).toEqual({ code: -32602, message: `Invalid params: params.arguments.text: ${reason}` });
  });

  it('refuses a body that is no UTF-8 (ai-surface M-4)', async () => {
    const body = Buffer.from([...Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), 0xff, 0x22, 0x7d]);
    expect(await send({ body, isAnonymous: true })).toMatchObject({
      status: 400,
      body: { id: null, error: { code: -32700, message: 'Parse error: request body is not valid UTF-8' } },
    });
  });

  it.each([
    ['initialize', undefined, 'protocolVersion must be a string'],
    ['initialize', { protocolVersion: '2025-11-25', clientInfo: {} }, 'capabilities must be an object'],
    [
      'initialize',
      { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x' } },
      'clientInfo must have a name and a version, both strings',
    ],
    ['resources/read', {}, 'uri must be a string'],
    ['tools/call', { arguments: {} }, 'name must be a string'],
    ['tools/call', { name: 'echo', arguments: [] }, 'arguments must be an object'],
    ['prompts/get', { name: 'x', arguments: { a: 1 } }, 'arguments must be an object of strings'],
    ['tools/list', { cursor: 1 }, 'cursor must be a string'],
    ['tools/list', { _meta: 5 }, '_meta must be an object'],
    ['tools/list', { _meta: { progressToken: 1.5 } }, '_meta.progressToken must be a string or an integer'],
    ['tools/list', { _meta: { progressToken: null } }, '_meta.progressToken must be a string or an integer'],
    [
      'tools/call',
      { name: 'echo', _meta: { 'io.modelcontextprotocol/related-task': 5 } },
      '_meta.io.modelcontextprotocol/related-task must be an object with a taskId, a string',
    ],
  ])('refuses %s with the params %j in a sentence (ai-surface M-7)', async (method, params, problem) => {
    expect(await send({ body: { ...ping, method, params } })).toMatchObject({
      status: 200,
      body: { id: 1, error: { code: -32602, message: `Invalid params: ${problem}` } },
    });
  });

  it('accepts an idempotency key of 1 to 255 visible characters, and refuses others (ai-surface M-36)', async () => {
    const call = (idempotencyKey: unknown) => ({
      ...ping,
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'x' }, _meta: { idempotencyKey } },
    });
    expect((await send({ body: call('k'.repeat(255)) })).body.result.isError).toBeUndefined();
    for (const wrong of ['', 'a b', 'k'.repeat(256), 7, null])
      expect((await send({ body: call(wrong) })).body.error.code).toBe(-32602);
  });

  it('refuses params that are no object, as an error of the protocol (ai-surface M-7)', async () => {
    expect(await send({ body: { ...ping, params: [1] } })).toMatchObject({
      status: 200,
      body: { id: 1, error: { code: -32602, message: 'Invalid params: expected an object' } },
    });
  });

  it('refuses an unknown revision and names the supported ones (ai-surface M-5)', async () => {
    const refused = await send({ headers: { 'MCP-Protocol-Version': '2024-11-05' } });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28', '2025-11-25', '2025-06-18'], requested: '2024-11-05' },
    });
  });

  it('answers 405 to GET and DELETE at all three addresses (ai-surface M-1)', async () => {
    for (const to of [path, '/v1/mcp', '/v1/mcp/fixture']) {
      for (const method of ['GET', 'DELETE']) {
        const refused = await send({ to, method });
        expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
      }
    }
  });
});

describe('the credentials of the MCP endpoint', () => {
  const challengeOf = (to: string): string =>
    `resource_metadata="${service.url}/.well-known/oauth-protected-resource${to}", scope="mcp"`;

  it('are challenged with the URL of the metadata if there are none (ai-surface O-4)', async () => {
    for (const to of [path, '/v1/mcp', '/v1/mcp/fixture']) {
      const refused = await send({ to, isAnonymous: true });
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBe(`Bearer ${challengeOf(to)}`);
    }
  });

  it('refuses a bad key and an access token that was never issued (ai-surface O-4)', async () => {
    const wrong = await send({ headers: { 'X-API-Key': `rfs${'0'.repeat(64)}` }, isAnonymous: true });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", error_description="[^"]+", /);
    const token = await send({ headers: { Authorization: `Bearer rfso${'0'.repeat(64)}` }, isAnonymous: true });
    expect(token.status).toBe(401);
    expect(token.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('refuses keys where only access tokens are accepted, and unknown profiles (ai-surface O-41)', async () => {
    expect((await send({ to: '/v1/mcp' })).status).toBe(401);
    expect((await send({ to: '/v1/mcp/nothing' })).status).toBe(404);
  });

  it('takes the session of a signed-in person (ai-surface 4.1)', async () => {
    const answer = await user.post(path, ping);
    expect(answer).toMatchObject({ status: 200, body: { id: 1, result: {} } });
  });

  it('refuses another graph with its status, but in a call as a result (ai-surface M-9)', async () => {
    const stranger = await service.newUser('Eve');
    const foreign = (await stranger.post('/v1/user/api-keys', { name: 'mcp' })).body.key;
    const headers = { 'X-API-Key': foreign };
    const listed = await send({ body: { ...ping, method: 'tools/list' }, headers });
    expect(listed).toMatchObject({ status: 403, body: { error: { code: -32600, message: 'Access denied to graph' } } });
    expect(listed.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    const body = { ...ping, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } };
    expect(await send({ body, headers })).toMatchObject({ status: 200, body: { result: { isError: true } } });
    expect(await send({ headers })).toMatchObject({ status: 200, body: { result: {} } });
  });
});

describe('the revisions with a handshake', () => {
  const initialize = (protocolVersion: string) => ({
    ...ping,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '0' } },
  });

  it('are chosen by the client, or the current one, without a session (ai-surface M-5, M-10)', async () => {
    const answers = await Promise.all(
      ['2025-06-18', '2025-11-25', '2024-11-05'].map((version) => send({ body: initialize(version) })),
    );
    expect(answers.map(({ body }) => body.result.protocolVersion)).toEqual(['2025-06-18', '2025-11-25', '2025-11-25']);
    expect(answers[0]?.body.result).toMatchObject({
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: `pacioli-${graphId}` },
    });
    expect(answers[0]?.headers.get('mcp-session-id')).toBeNull();
  });

  it('accept notifications and responses without an answer (ai-surface M-6)', async () => {
    const notified = await send({ body: { jsonrpc: '2.0', method: 'notifications/initialized', params: 3 } });
    expect([notified.status, notified.text]).toEqual([202, '']);
    expect((await send({ body: { jsonrpc: '2.0', id: 7, result: {} } })).status).toBe(202);
  });

  it('answer an unknown method with an error of the protocol (ai-surface M-8)', async () => {
    expect(await send({ body: { ...ping, method: 'nothing/at-all' } })).toMatchObject({
      status: 200,
      body: { id: 1, error: { code: -32601, message: 'Method not found: nothing/at-all' } },
    });
  });

  it('refuse an unknown cursor (ai-surface 5.4)', async () => {
    const body = { ...ping, method: 'tools/list', params: { cursor: 'x' } };
    expect(await send({ body })).toMatchObject({ status: 200, body: { error: { code: -32602 } } });
  });

  it('answer a call with JSON, and a long one with a stream of progress and the response (ai-surface M-11)', async () => {
    const call = (name: string, given: object) => ({
      ...ping,
      method: 'tools/call',
      params: { name, arguments: given, _meta: { progressToken: 'p1' } },
    });
    const short = await send({ body: call('echo', { text: 'x' }) });
    expect(short.headers.get('content-type')).toContain('application/json');
    const long = await send({ body: call('count-slowly', {}) });
    expect(long.headers.get('content-type')).toContain('text/event-stream');
    const messages = long.text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice('data: '.length)));
    expect(messages.slice(0, 3).map(({ params }) => params)).toEqual(
      [1, 2, 3].map((step) => ({ progressToken: 'p1', progress: step, message: `step ${step}` })),
    );
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ type: 'text' }] } });
    const plain = await send({ body: call('count-slowly', {}), headers: { Accept: 'application/json' } });
    expect(plain.headers.get('content-type')).toContain('application/json');
  });

  it('cancel the work when the client disconnects (ai-surface M-12)', async () => {
    const before = controls.canceled;
    const leaving = new AbortController();
    const sent = fetch(`${service.url}${path}`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body: JSON.stringify({ ...ping, method: 'tools/call', params: { name: 'wait-for-end', arguments: {} } }),
    });
    await expect.poll(() => controls.waiting).toBeGreaterThan(0);
    leaving.abort();
    await expect(sent).rejects.toThrow();
    await expect.poll(() => controls.canceled).toBe(before + 1);
  });
});
