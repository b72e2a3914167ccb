import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aliases, plugins } from '../src/plugins.ts';

const requests = process.env['PACIOLI_TEST_FULL_RUN'] === '1' ? 2_000 : 800;
const callers = 8;
/** A request that takes longer counts as hanging. */
const maxAnswerMs = 120_000;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly default?: unknown;
  readonly format?: string;
}
interface Definition {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Definition>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
interface Target {
  readonly method: string;
  readonly path: string;
  readonly definition: Definition;
}

let service: TestService;
let user: TestClient;
let graph: string;
let org: string;
const logged: string[] = [];

beforeAll(async () => {
  const note = (message: string, fields?: object): void => {
    logged.push(JSON.stringify({ message, error: String((fields as { error?: unknown } | undefined)?.error) }));
  };
  service = await startTestService({
    plugins,
    aliases,
    settings: { orgs: { maxGraphs: -1, invitations: true }, sse: { maxPerUser: 1000 } },
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: note },
  });
  const owner = await service.newUser('Ann');
  graph = await owner.createGraph('Malformed', ['ledger']);
  org = (await owner.get('/v1/orgs')).body.orgs[0].id;
  // An API key stays valid even if the requests end sessions.
  const key = (await owner.post('/v1/user/api-keys', { name: 'malformed' })).body.key;
  user = service.anonymous.withHeaders({ 'x-api-key': key });
});
afterAll(() => service.close());

const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '🦊'.repeat(40),
    'a'.repeat(20_000),
    '../../etc/passwd',
    "' OR 1=1; --",
    '{{7*7}}',
    '<script>alert(1)</script>',
    'NaN',
    '9999-99-99',
    '0000-00-00T00:00:00Z',
    '-infinity',
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    1e308,
    [],
    {},
    [[[[[[]]]]]],
    { __proto__: null, constructor: { prototype: { isAdmin: true } } },
  ),
  fc.jsonValue({ maxDepth: 4 }),
  fc.string({ maxLength: 300, unit: 'binary' }),
  fc.integer(),
  fc.double(),
);

/** A value close to the schema: mostly valid, sometimes with an odd part. */
function near(document: Document, given: Schema | undefined, depth: number): fc.Arbitrary<unknown> {
  const schema = given?.$ref === undefined ? given : document.components.schemas[given.$ref.split('/').at(-1) ?? ''];
  if (schema === undefined || depth > 5) return strange;
  return fc.oneof({ weight: 4, arbitrary: formed(document, schema, depth) }, { weight: 1, arbitrary: strange });
}

function formed(document: Document, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((option) => near(document, option, depth + 1)));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, property]) => [
            name,
            near(document, property, depth + 1),
          ]),
        ),
        { requiredKeys: [] },
      );
    case 'array':
      return fc.array(near(document, schema.items, depth + 1), { maxLength: 4 });
    case 'string':
      return schema.format === undefined
        ? fc.oneof(fc.constantFrom(graph, 'manual', 'USD', 'word'), fc.string({ maxLength: 40 }))
        : fc.constantFrom('2026-02-30', '2026-01-31', '2026-01-31T00:00:00Z', 'x@example.org');
    case 'boolean':
      return fc.boolean();
    default:
      return fc.oneof(fc.integer({ min: -5, max: 1_000_000 }), fc.double());
  }
}

const pathValues = [
  '%00',
  '%E0%A4%A',
  '..%2F..',
  '%F0%9F%A6%8A',
  'a'.repeat(3_000),
  'kg00000000000000000000',
  'op_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  '-1',
  "x'%20OR%201=1",
];
const bodies = ['{', '[', '{"a":', '\u0000', 'null', '"text"', '[1,2', `${'['.repeat(5_000)}${']'.repeat(5_000)}`];

/** One malformed request for one operation of the document. */
function requestFor(document: Document, target: Target): fc.Arbitrary<{ url: string; init: RequestInit }> {
  const names = [...target.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
  const right = (name: string): string => (name === 'graph_id' ? graph : name === 'org_id' ? org : 'none');
  const places = fc.tuple(
    ...names.map((name) =>
      fc.oneof(
        { weight: 3, arbitrary: fc.constant(right(name)) },
        { weight: 1, arbitrary: fc.constantFrom(...pathValues) },
      ),
    ),
  );
  const queryNames = (target.definition.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const query = fc.record(
    Object.fromEntries(
      queryNames.map(({ name }) => [
        name,
        strange.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}`.slice(0, 500)),
      ]),
    ),
    { requiredKeys: [] },
  );
  const schema = target.definition.requestBody?.content?.['application/json']?.schema;
  const body = fc.oneof(
    { weight: 5, arbitrary: near(document, schema, 0).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.constantFrom(...bodies) },
  );
  const headers = fc.record(
    {
      'content-type': fc.constantFrom(
        'application/json',
        'text/plain',
        'application/x-www-form-urlencoded',
        'nonsense',
      ),
      'idempotency-key': fc.constantFrom('', 'k', 'a b', 'k'.repeat(300), 'same'),
      'x-request-id': fc.constantFrom('short', 'a'.repeat(200), 'fine-request-id'),
      'last-event-id': fc.constantFrom('-1', 'x', '1e9'),
    },
    { requiredKeys: [] },
  );
  return fc.record({ places, query, body, headers }).map((parts) => {
    const path = names.reduce((text, name, at) => text.replace(`{${name}}`, parts.places[at] ?? ''), target.path);
    const search = new URLSearchParams(
      Object.entries(parts.query).map(([name, value]): [string, string] => [name, value ?? '']),
    ).toString();
    const hasBody = target.method !== 'GET';
    return {
      url: `${service.url}${path}${search === '' ? '' : `?${search}`}`,
      init: {
        method: target.method,
        headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...user.headers, ...parts.headers },
        ...(hasBody ? { body: parts.body ?? 'null' } : {}),
      },
    };
  });
}

it(`answers ${requests} malformed requests with a clear error, and none with an internal error`, {
  timeout: 600_000,
}, async () => {
  const document = service.service.openapi as unknown as Document; // The document's own shape.
  const targets = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, definition]): Target => ({ method: method.toUpperCase(), path, definition })),
  );
  // The seed is fixed, so that a failure is reproducible.
  const drawn = targets.flatMap((target, at) =>
    fc.sample(requestFor(document, target), { numRuns: Math.ceil(requests / targets.length), seed: 20_260_302 + at }),
  );
  expect(drawn.length).toBeGreaterThanOrEqual(requests);
  const failures: string[] = [];
  const statuses = new Map<number, number>();
  const waiting = [...drawn];
  const caller = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { url, init } = next;
      const described = `${init.method} ${url.slice(service.url.length, 300)} ${String(init.body ?? '').slice(0, 300)}`;
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(maxAnswerMs) }).catch((error: unknown) =>
        String(error),
      );
      if (typeof answer === 'string') {
        failures.push(`${described}: ${answer}`);
        continue;
      }
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
      if (isStream) await answer.body?.cancel();
      const text = isStream ? '' : await answer.text();
      // 501 and 503 with a code are valid responses of a part that is disabled or not configured.
      const isOff = [501, 503].includes(answer.status) && !text.includes('INTERNAL_ERROR');
      if (answer.status >= 500 && !isOff) failures.push(`${described}: ${answer.status} ${text.slice(0, 300)}`);
      if (answer.status >= 400 && !text.includes('"detail"')) failures.push(`${described}: no detail in ${text}`);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  expect([...failures, ...(failures.length > 0 ? logged.slice(0, 20) : [])].slice(0, 40)).toEqual([]);
  // Most must have been rejected, because a test of valid requests would show nothing.
  const refused = [...statuses].filter(([status]) => status >= 400).reduce((sum, [, count]) => sum + count, 0);
  expect(refused).toBeGreaterThan(drawn.length / 2);
  expect((await user.get('/v1/status')).body.status).toBe('healthy');
  expect((await user.get(`/v1/graphs/${graph}/schema`)).status).not.toBe(500);
});
