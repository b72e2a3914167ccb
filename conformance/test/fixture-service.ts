import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { objectOf } from '../src/json.ts';

/** A rule that the fixture violates intentionally. */
export type Fault =
  | 'answers anonymous callers'
  | 'takes any key'
  | 'shows other tenants'
  | 'takes any graph id'
  | 'takes broken JSON'
  | 'takes any content type'
  | 'takes any length'
  | 'takes any method'
  | 'forgets keys'
  | 'ignores the body of a key'
  | 'takes long keys'
  | 'takes incomplete bodies'
  | 'nests errors';

export interface FixtureService {
  readonly url: string;
  close(): Promise<void>;
}

const graphPattern = /^kg[a-f0-9]{16,}$/;
const renamePath = /^\/v1\/graphs\/([^/]+)\/operations\/rename$/;
const maxKeyCharacters = 255;
const maxBodyBytes = 10 * 1024 * 1024;

const refused = {
  422: { content: { 'application/json': { schema: { properties: { detail: { type: 'string' } } } } } },
};
const signedIn = [{ apiKey: [] }, { bearer: [] }];
const nameBody = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

/** The document of the fixture; one operation is enough for every generic case. */
const openapi = {
  openapi: '3.1.0',
  paths: {
    '/v1/graphs/{graph_id}/operations/rename': {
      post: {
        operationId: 'rename',
        tags: ['fixture'],
        parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
        requestBody: { required: true, content: { 'application/json': { schema: nameBody } } },
        responses: refused,
        security: signedIn,
      },
    },
  },
};

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A deployment of one operation that follows all rules except one. */
export async function startFixture(fault?: Fault): Promise<FixtureService> {
  const state: State = { fault, graphs: new Map(), runs: new Map(), isLimitReached: true };
  const server = createServer((request, response) => void serve(state, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

interface State {
  /** Until the first refusal. */
  isLimitReached: boolean;
  readonly fault: Fault | undefined;
  /** Owner of each graph. */
  readonly graphs: Map<string, string>;
  readonly runs: Map<string, { readonly body: string; readonly reply: Reply }>;
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const length = Number(request.headers['content-length'] ?? 0);
  const isTooLong = length > maxBodyBytes && state.fault !== 'takes any length';
  const text = length > maxBodyBytes ? '{}' : await readText(request);
  const reply = isTooLong
    ? error(413, 'PAYLOAD_TOO_LARGE', `At most ${maxBodyBytes} bytes.`)
    : answer(state, request, text);
  const isNested = state.fault === 'nests errors' && reply.status >= 400;
  response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
  response.end(
    typeof reply.body === 'string' ? reply.body : JSON.stringify(isNested ? { detail: reply.body } : reply.body),
  );
}

/** Refuses the first request for a second. */
function limitedOnce(state: State): Reply {
  const refuses = state.isLimitReached;
  state.isLimitReached = false;
  if (!refuses) return { status: 200, body: {} };
  return { ...error(429, 'RATE_LIMIT_EXCEEDED', 'Later.'), headers: { 'retry-after': '1' } };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  // A request without an encoding yields buffers.
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function answer(state: State, request: IncomingMessage, text: string): Reply {
  const path = (request.url ?? '').split('?')[0] ?? '';
  const caller = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  switch (`${request.method} ${path}`) {
    case 'GET /openapi.json':
      return { status: 200, body: openapi };
    case 'GET /schema.graphql':
      return { status: 200, body: 'type Query { hello: String! }', headers: { 'content-type': 'text/plain' } };
    case 'POST /v1/auth/register':
      return { status: 201, body: { token: randomBytes(8).toString('hex') } };
    case 'GET /v1/user':
      return { status: 200, body: { id: 'user_1' } };
    case 'GET /v1/orgs':
      return { status: 200, body: { orgs: [{ id: 'org_1' }] } };
    case 'GET /v1/graphs/extensions':
      return { status: 200, body: { extensions: [] } };
    case 'GET /v1/limited-once':
      return limitedOnce(state);
    case 'POST /v1/graphs':
      return { status: 202, body: { operationId: makeGraph(state, caller ?? '') } };
    default:
      return statusAnswer(path) ?? rename(state, request, text, caller);
  }
}

/** A graph is ready at once; the operation's id contains the graph's id. */
function makeGraph(state: State, owner: string): string {
  const id = `kg${randomBytes(10).toString('hex')}`;
  state.graphs.set(id, owner);
  return `op_${id}`;
}

function statusAnswer(path: string): Reply | undefined {
  const graphId = /^\/v1\/operations\/op_(kg[a-f0-9]+)\/status$/.exec(path)?.[1];
  return graphId === undefined
    ? undefined
    : { status: 200, body: { status: 'completed', result: { graph_id: graphId } } };
}

function rename(state: State, request: IncomingMessage, text: string, caller: string | undefined): Reply {
  const graphId = renamePath.exec(request.url ?? '')?.[1];
  if (graphId === undefined) return error(404, 'NOT_FOUND', 'Not Found');
  const refusal = refuse(state, request, { text, caller, graphId });
  if (refusal !== undefined) return refusal;
  const key = String(request.headers['idempotency-key'] ?? '');
  const earlier = state.runs.get(key);
  if (key !== '' && earlier !== undefined && state.fault !== 'forgets keys') {
    if (earlier.body !== text && state.fault !== 'ignores the body of a key')
      return error(409, 'IDEMPOTENCY_KEY_REUSED', 'Another body.');
    return { status: 200, body: { ...objectOf(earlier.reply.body), idempotentReplay: true } };
  }
  const id = randomBytes(8).toString('hex');
  const body = { operationId: id, at: `at ${id}`, status: 'completed', createdBy: 'user_1', idempotentReplay: false };
  state.runs.set(key, { body: text, reply: { status: 200, body } });
  return { status: 200, body };
}

interface Asked {
  readonly text: string;
  readonly caller: string | undefined;
  readonly graphId: string;
}

function refuse(state: State, request: IncomingMessage, { text, caller, graphId }: Asked): Reply | undefined {
  const obeys = (fault: Fault): boolean => state.fault !== fault;
  if (request.method !== 'POST' && obeys('takes any method'))
    return error(405, 'METHOD_NOT_ALLOWED', 'Method Not Allowed', { allow: 'POST' });
  const hasKey = request.headers['x-api-key'] !== undefined;
  if (hasKey && obeys('takes any key')) return error(401, 'UNAUTHORIZED', 'Bad key', { 'www-authenticate': 'ApiKey' });
  if (caller === undefined && !hasKey && obeys('answers anonymous callers'))
    return error(401, 'UNAUTHORIZED', 'No key', { 'www-authenticate': 'Bearer, ApiKey' });
  if (!graphPattern.test(graphId) && obeys('takes any graph id')) return invalid('path', 'string_pattern_mismatch');
  if (state.graphs.get(graphId) !== caller && graphPattern.test(graphId) && obeys('shows other tenants'))
    return error(403, 'FORBIDDEN', 'Access denied to graph');
  if (request.headers['content-type'] !== 'application/json' && obeys('takes any content type'))
    return error(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send JSON.');
  if (String(request.headers['idempotency-key'] ?? '').length > maxKeyCharacters && obeys('takes long keys'))
    return invalid('header', 'string_too_long');
  const body = parsed(text);
  if (body === undefined && obeys('takes broken JSON')) return invalid('body', 'json_invalid');
  if (body !== undefined && !('name' in body) && obeys('takes incomplete bodies')) return invalid('body', 'missing');
  return undefined;
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // The caller tests for malformed JSON.
  }
}

function invalid(place: string, type: string): Reply {
  const { status, body } = error(422, 'INVALID_INPUT', `${place}: ${type}`);
  return { status, body: { ...objectOf(body), errors: [{ loc: [place, 'name'], msg: type, type }] } };
}

function error(status: number, code: string, detail: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: { detail, code, request_id: 'req_1', timestamp: '2026-01-31T12:00:00Z' } };
}
