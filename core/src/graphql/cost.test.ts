import { readFileSync } from 'node:fs';
import { definePlugin, defineQuery, model, nullable } from '@pacioli/core';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import { type FieldNode, getIntrospectionQuery, parse } from 'graphql';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FieldCost } from '../define/query.ts';
import { composeGraphql } from './compose.ts';
import { costOf } from './cost.ts';
import { Introspection } from './introspection.ts';
import { documentLimits } from './limits.ts';

// Goal: a request cannot cause more work than its limit, and equal reads run once.
// Method: reads that count their calls, with costs that make the sums easy to verify.
let made = 0;
const count = Type.Optional(nullable(Type.Integer()));

const pages = defineQuery({
  name: 'pages',
  summary: 'A page of numbers.',
  args: model('PagesArgs', { limit: count, offset: count }),
  returns: Type.Array(model('PageRow', { value: Type.Integer() })),
  cost: { points: 100, maxRows: 200 },
  async resolve({ args }) {
    made += 1;
    return [{ value: args.limit ?? 50 }];
  },
});
const cheap = defineQuery({
  name: 'cheap',
  summary: 'One number.',
  args: model('CheapArgs', { value: count }),
  returns: Type.Integer(),
  cost: { points: 1 },
  async resolve({ args }) {
    made += 1;
    return args.value ?? 0;
  },
});
const sums = definePlugin({
  name: 'sums',
  title: 'Sums',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'sums',
  queries: [pages, cheap],
});

let service: TestService;
let user: TestClient;
let graph: string;
beforeAll(async () => {
  service = await startTestService({ plugins: [sums] });
  user = await service.newUser('Ann');
  graph = await user.createGraph('Sums', ['sums']);
});
afterAll(() => service.close());

/** Builds aliases of one field, each with its own arguments. */
const aliases = (times: number, field: (index: number) => string): string =>
  Array.from({ length: times }, (_, index) => `a${index}: ${field(index)}`).join(' ');

describe('the cost of a GraphQL document', () => {
  it.each([
    ['aliases', `{ ${aliases(11, (index) => `pages(offset: ${index}) { value }`)} }`, {}, 1100],
    [
      'long pages',
      '{ a: pages(limit: 200) { value } b: pages(limit: 151) { value } c: pages(limit: 101) { value } }',
      {},
      1100,
    ],
    [
      'variables',
      'query ($n: Int) { a: pages(limit: $n) { value } b: pages(limit: $n, offset: 1) { value } c: pages(limit: $n) { value } }',
      { n: 200 },
      1200,
    ],
    [
      'defaults of variables',
      'query ($n: Int = 200) { a: pages(limit: $n) { value } b: pages(limit: $n) { value } c: pages(limit: $n) { value } }',
      {},
      1200,
    ],
    [
      'fragments',
      `{ ...F ... on Query { ...G } } fragment F on Query { ${aliases(6, () => 'pages { value }')} ...G }
        fragment G on Query { b: pages(limit: 200) { value } c: pages(limit: 51) { value } }`,
      {},
      1200,
    ],
    [
      'more than the longest page, as if it were that',
      `{ ${aliases(3, () => 'pages(limit: 2000000000) { value }')} }`,
      {},
      1200,
    ],
  ])(
    'is summed over %s and refused above the limit, with both numbers (platform E-24)',
    async (_what, text, variables, points) => {
      made = 0;
      const answer = await user.graphql(graph, text, variables);
      expect(answer.status).toBe(200);
      expect(answer.body.data).toBeUndefined();
      expect(answer.body.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
      expect(answer.body.errors[0].message).toContain(`costs ${points} points, and a request may cost 1000`);
      expect(made).toBe(0);
    },
  );

  it.each([
    ['exactly the limit', `{ ${aliases(10, (index) => `pages(offset: ${index}) { value }`)} }`, {}],
    ['a null for limit, which is the default', 'query ($n: Int = 200) { pages(limit: $n) { value } }', { n: null }],
    ['one place read in two selections', `{ ${'pages(limit: 200) { value } '.repeat(3)} }`, {}],
    ['another operation of the document', `query A { cheap } query B { ${aliases(11, () => 'pages { value }')} }`, {}],
  ])('allows %s (platform E-24)', async (_what, query, variables) => {
    const operationName = query.startsWith('query A') ? 'A' : null;
    const answer = await user.post(`/extensions/${graph}/graphql`, { query, variables, operationName });
    expect(answer.body.errors).toBeUndefined();
  });

  it('leaves errors of variables to the execution', async () => {
    const answer = await user.graphql(graph, 'query ($n: Int) { pages(limit: $n) { value } }', { n: 'many' });
    expect(answer.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

describe('the same read under several aliases', () => {
  it('runs once per request, and again for other arguments and the next request', async () => {
    made = 0;
    const answer = await user.graphql(
      graph,
      '{ a: cheap b: cheap(value: null) c: cheap(value: 7) d: cheap(value: 7) }',
    );
    expect(answer.body.data).toEqual({ a: 0, b: 0, c: 7, d: 7 });
    expect(made).toBe(2);
    await user.graphql(graph, '{ cheap }');
    expect(made).toBe(3);
  });
});

describe('introspection', () => {
  const schema = composeGraphql(
    { queries: [{ query: cheap, domain: undefined, use: () => ({}) }], fields: [] },
    documentLimits,
  );
  const anonymous = {
    read: undefined,
    requestId: 'req_1',
    requireRole: () => undefined,
    onInternalError: () => undefined,
  };
  const text = 'query Types { __schema { types { name } } __typename }';

  it('is computed once per document, for any caller and concurrent requests (platform E-21)', async () => {
    const [first, second] = await Promise.all([
      schema.run({ query: text }, anonymous),
      schema.run({ query: text }, anonymous),
    ]);
    expect(first.data).toMatchObject({ __typename: 'Query' });
    expect(second).toBe(first);
    expect(await schema.run({ query: `${text} ` }, anonymous)).not.toBe(first);
  });

  it('caches a bounded number of results, and none of a document that reads data', async () => {
    const first = await schema.run({ query: text }, anonymous);
    for (let index = 0; index < 20; index += 1) await schema.run({ query: `${text} #${index}` }, anonymous);
    expect(await schema.run({ query: text }, anonymous)).not.toBe(first);
    const mixed = '{ __typename cheap }';
    const refused = await schema.run({ query: mixed }, anonymous);
    expect(refused.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(await schema.run({ query: mixed }, anonymous)).not.toBe(refused);
  });

  it('depends on the values of its variables', async () => {
    const query = 'query ($name: String!) { __type(name: $name) { name } }';
    const named = async (name: string) => (await schema.run({ query, variables: { name } }, anonymous)).data;
    expect([await named('Query'), await named('Int')]).toEqual([
      { __type: { name: 'Query' } },
      { __type: { name: 'Int' } },
    ]);
  });

  it.each([
    ['six reads of the schema', `{ ${aliases(6, () => '__schema { types { name } }')} }`, 1200],
    ['six reads of types', `{ ${aliases(6, () => '__type(name: "Query") { name }')} }`, 1200],
    ['a schema with its types under five aliases', `{ __schema { ${aliases(5, () => 'types { name }')} } }`, 1200],
    [
      'aliases of a fragment',
      `{ a: __schema { ...S } b: __schema { ...S } } fragment S on __Schema { x: types { name } y: types { name } }`,
      1200,
    ],
  ])('is refused for %s, which anonymous callers may also send (platform E-24)', async (_what, query, points) => {
    const answer = await service.anonymous.graphql(graph, query);
    expect(answer.body.errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
    expect(answer.body.errors[0].message).toContain(`costs ${points} points, and a request may cost 1000`);
  });

  it('may read the schema and types five times in a request, and caches only single reads', async () => {
    const full = (await service.anonymous.graphql(graph, getIntrospectionQuery())).body;
    expect(full.errors).toBeUndefined();
    const query = `{ ${aliases(4, () => '__schema { types { name } }')} __type(name: "Query") { n: name } }`;
    const first = await schema.run({ query }, anonymous);
    expect(first.errors).toBeUndefined();
    expect(await schema.run({ query }, anonymous)).not.toBe(first);
  });

  it('does not cache a result above two megabytes, nor a failure', async () => {
    const kept = new Introspection<string>();
    const lengthOf = async (query: string, length: number) =>
      (await kept.answer(query, parse(query), {}, async () => 'x'.repeat(length))).length;
    expect([
      await lengthOf('{ __schema { __typename } }', 1),
      await lengthOf('{ __schema { __typename } }', 2),
    ]).toEqual([1, 1]);
    const long = '{ a: __schema { __typename } }';
    expect([await lengthOf(long, 2_000_000), await lengthOf(long, 3)]).toEqual([2_000_000, 3]);
    const failing = '{ b: __schema { __typename } }';
    const failed = kept.answer(failing, parse(failing), {}, () => Promise.reject(new Error('out of memory')));
    await expect(failed).rejects.toThrow('out of memory');
    expect(await lengthOf(failing, 4)).toBe(4);
  });
});

describe('a query that a document mentions twice', () => {
  it('costs the fields of plugins in both mentions (platform E-24)', () => {
    const selected = ({ selectionSet }: FieldNode) => selectionSet?.selections.length ?? 0;
    const prices = {
      queries: new Map([['rows', { cost: { points: 1 }, isPaged: false }]]),
      nested: (_document: unknown, query: FieldNode) => selected(query) * 10,
    };
    const points = (text: string) => costOf(parse(text), {}, prices);
    expect(points('{ rows { a b } }')).toBe(21);
    expect(points('{ rows { a } rows { b } }')).toBe(21);
    expect(points('{ rows { a } ...More } fragment More on Query { rows { b c } }')).toBe(31);
  });
});

describe('core/README.md', () => {
  it('states the points of its example', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const example = /`cost: (\{.*?\})`, a read costs (\d+) points without `limit`, and at most (\d+)/.exec(readme);
    const [, source = '', plain, longest] = example ?? [];
    const cost = new Function(`return ${source}`)() as FieldCost; // The README prints one value.
    const prices = { queries: new Map([['rows', { cost, isPaged: true }]]), nested: () => 0 };
    const points = (text: string) => costOf(parse(text), {}, prices);
    expect([points('{ rows }'), points('{ rows(limit: 100000) }')]).toEqual([Number(plain), Number(longest)]);
  });
});
