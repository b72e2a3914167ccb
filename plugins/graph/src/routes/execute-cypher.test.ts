import { definePlugin } from '@pacioli/core';
import { startTestService, type TestClient, type TestService } from '@pacioli/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import graph from '../index.ts';

const samples = definePlugin({
  name: 'samples',
  title: 'Samples',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'samples',
});

let service: TestService;
let user: TestClient;
let path: string;

beforeAll(async () => {
  service = await startTestService({ plugins: [graph, samples] });
  user = await service.newUser('Ada');
  path = `/v1/graphs/${await user.createGraph('Samples', ['samples'])}/query/cypher`;
});
afterAll(() => service.close());

/** Sends a parameter as raw JSON text, so that this side does not round it. */
const send = (json: string, query = 'RETURN $p AS p') =>
  user.post(path, `{"query": ${JSON.stringify(query)}, "parameters": {"p": ${json}}}`);

const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;

describe('a parameter of execute-cypher', () => {
  it.each([
    ['9007199254740993', '9007199254740993'],
    ['-9223372036854775809', '-9223372036854775809'],
    ['170141183460469231731687303715884105727', '170141183460469231731687303715884105727'],
    ['[1, 9007199254740993]', [1, '9007199254740993']],
    ['{"ids": [9007199254740993, null]}', { ids: ['9007199254740993', null] }],
    ['"9007199254740993, \\"123456789012345678\\""', '9007199254740993, "123456789012345678"'],
    ['1e20', 1e20],
    ['5e-324', 5e-324],
    ['[1, 1.5, null]', [1, 1.5, null]],
    ['[[1], [], null]', [[1], [], null]],
    [
      '[{"a": 1, "b": "x"}, {"b": null, "a": 2}]',
      [
        { a: 1, b: 'x' },
        { a: 2, b: null },
      ],
    ],
    ['{"constructor": 1, "a b": {"": "x"}, "a": 1.5}', { constructor: 1, 'a b': { '': 'x' }, a: 1.5 }],
    ['{"_nodes": [1], "_rels": [2], "_id": "x", "_label": "y"}', { _nodes: [1], _rels: [2], _id: 'x', _label: 'y' }],
    ['"2026-01-31"', '2026-01-31'],
    [nested(11), JSON.parse(nested(11))],
    ['null', null],
  ])('reaches the engine exactly: %s (graphs Q-45a)', async (json, value) => {
    const answer = await send(json);
    expect([answer.status, answer.body.data]).toEqual([200, [{ p: value }]]);
  });

  it.each([
    ['{"filter": null}', ['filter'], 'null'],
    ['{"filter": {"ids": [1, 2, 3, "a"]}}', ['filter', 'ids', 3], 'another type'],
    ['[true, 1]', [1], 'another type'],
    ['[[1.5], [1]]', [1], 'another type'],
    ['[1.5, 9007199254740993]', [1], 'another type'],
    ['[{"a": 1}, {"b": 2}]', [1], 'other names'],
    ['[]', [], 'empty list'],
    ['[[]]', [0], 'empty list'],
    ['[null, null]', [0], 'null'],
    ['{}', [], 'empty object'],
    ['{"a": [{}]}', ['a', 0], 'empty object'],
    ['{"a": {"__proto__": 1}}', ['a', '__proto__'], 'name'],
    ['{"a": {"f(x), y": 1}}', ['a', 'f(x), y'], 'name'],
    ['170141183460469231731687303715884105728', [], 'largest integer of the graph'],
    [nested(12), Array.from({ length: 11 + 1 }, () => 0), 'nested deeper'],
  ])('is refused with its location if the engine would change it: %s (graphs Q-45a)', async (json, place, reason) => {
    const answer = await send(json);
    expect([answer.status, answer.body.code]).toEqual([422, 'INVALID_INPUT']);
    expect(answer.body.detail).toEqual([
      { loc: ['body', 'parameters', 'p', ...place], msg: expect.stringContaining(reason), type: 'value_error' },
    ]);
  });

  it('is rejected if it overflows, and a long number in another field is not an integer (platform E-6)', async () => {
    expect((await send('[1e400]')).body.detail[0].loc).toEqual(['body', 'parameters', 'p', 0]);
    const answer = await user.post(path, '{"query": "RETURN 1 AS one", "timeout": 9007199254740993}');
    expect(answer.status).toBe(422);
  });

  it('bounds a range even if it is a large whole number (graphs E-13)', async () => {
    expect((await send('9007199254740993', 'UNWIND range(1, $p) AS x RETURN count(x) AS n')).status).toBe(400);
  });

  it('is refused with its location or returned exactly, for arbitrary values (graphs Q-45a)', {
    timeout: 300_000,
  }, async () => {
    const scalar = fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.integer().map(String),
      fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }).map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify(value)),
    );
    const name = fc.oneof(fc.constantFrom('a', 'b', 'A', 'a b', '_id', '__proto__', '1'), fc.string({ maxLength: 8 }));
    const { json } = fc.letrec<{ json: string }>((tie) => ({
      json: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        scalar.map(String),
        fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
        tie('json').map((item) => `[${item},${item}]`),
        fc
          .uniqueArray(fc.tuple(name, tie('json')), { maxLength: 4, selector: ([key]) => key })
          .map((fields) => `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(json, async (text) => {
        const answer = await send(text);
        if (answer.status === 422) {
          expect(answer.body.detail[0].loc.slice(0, 3)).toEqual(['body', 'parameters', 'p']);
        } else {
          expect([text, answer.status]).toEqual([text, 200]);
          expect([text, sorted(answer.body.data[0].p)]).toEqual([text, sorted(asAnswered(text))]);
        }
      }),
      { numRuns: 400, seed: 20_260_310 },
    );
  });
});

/** The value of a JSON text as responses encode it: whole numbers beyond 2^53 become their digits (graphs Q-45). */
function asAnswered(text: string): unknown {
  // JSON has a single zero, while its parser distinguishes two.
  const quoted = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${BigInt(token)}"` : token,
  );
  return JSON.parse(quoted, (_name, value: unknown) => (value === 0 ? 0 : value));
}

/** Object keys have no order in JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, content]) => [name, sorted(content)]);
}

describe('an error of execute-cypher', () => {
  it.each([
    ['MATCH (t:Thing RETURN t', 1, 16, 'MATCH (t:Thing RETURN t'],
    ['RETURN 1 AS one,,\n  2 AS two;', 1, 17, 'RETURN 1 AS one,,'],
    ['\n\n  RETURN count(1),\n  sum(2) +', 4, 11, '  sum(2) +'],
    ['   RETURN 1 +', 1, 14, '   RETURN 1 +'],
    ['RETURN "é" + ) AS x', 1, 14, 'RETURN "é" + ) AS x'],
  ])(
    'of the grammar has line, column and text of the caller: %j (graphs Q-40)',
    async (query, line, column, quoted) => {
      const answer = await user.post(path, { query });
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_QUERY']);
      const { detail } = answer.body;
      expect(detail.split('\n').slice(0, 2)).toEqual([
        `Query parsing error: Unexpected input at line ${line}, column ${column}:`,
        `"${quoted}"`,
      ]);
    },
  );

  it.each([
    ['RETURN {a: 1}.assertion AS p', 'assertion'],
    ['RETURN unreachable AS p', 'unreachable'],
    ['RETURN `main.cpp` AS p', 'main.cpp'],
    ['RETURN `a::b` AS p', 'a::b'],
    ['RETURN `interrupted` AS p', 'interrupted'],
    ["RETURN cast('std::x should not happen in main.cpp' AS INT64) AS p", 'std::x'],
    ["RETURN cast('out of memory' AS INT64) AS p", 'out of memory'],
    ["RETURN cast('in read-only mode' AS INT64) AS p", 'in read-only mode'],
  ])(
    'is attributed to the caller if a name or string resembles an engine failure: %s (graphs E-2)',
    async (query, named) => {
      const answer = await user.post(path, { query });
      expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_QUERY']);
      expect(answer.body.detail).toContain(named);
    },
  );

  it.each([
    ['RETURN $p.a.b AS p', '{"a": 1}'],
    ['UNWIND $p AS row RETURN row.zz AS p', '[{"a": 1}]'],
    ['RETURN [[]] AS p', '1'],
    ['RETURN {a: {}} AS p', '1'],
    ['RETURN $p + [] AS p', '[1]'],
    ['RETURN list_concat([], []) AS p', '1'],
    ['MATCH ()-[r]->() RETURN r.zz', '1'],
    ['RETURN $p[0][0][0] AS p', '[[1]]'],
    ['RETURN map([], []) AS p', '1'],
    ["RETURN 'x' + 1 AS p", '1'],
    ['RETURN CASE $p WHEN null THEN {a: null} ELSE [] END AS p', 'null'],
  ])('does not expose engine internals: %s', async (query, parameter) => {
    const answer = await send(parameter, query);
    expect(JSON.stringify(answer.body)).not.toMatch(
      /assert|unreachable|\.cpp|should not happen|::|oC_|Supported inputs|INT128,|\/tmp|\.lbug/i,
    );
    if (answer.status === 500) {
      expect(answer.body).toMatchObject({ code: 'GRAPH_ENGINE_FAILED' });
      expect(answer.body.detail).toMatch(/^The graph engine failed on this query\./);
    }
  });
});

describe('an interval in a result of execute-cypher', () => {
  it.each([
    ["interval('1 day')", 'P1D'],
    ["interval('3 years 2 months 5 days 1 hours 2 minutes 3.5 seconds')", 'P3Y2M5DT1H2M3.5S'],
    ["interval('0 days')", 'PT0S'],
    ["interval('100 hours')", 'PT100H'],
    ["interval('10 us')", 'PT0.00001S'],
    ["interval('1 day') - interval('3 days')", 'P-2D'],
    ["interval('1 hour') - interval('90 minutes')", 'PT-30M'],
    ['CAST(null AS INTERVAL)', null],
  ])('is ISO 8601: %s (graphs Q-45)', async (expression, text) => {
    const answer = await user.post(path, { query: `RETURN ${expression} AS span` });
    expect(answer.body.data).toEqual([{ span: text }]);
  });
});

describe('the records read by execute-cypher', () => {
  it('are one statement for a query, and no more than one for each of several at once', async () => {
    const ask = async () => expect((await user.post(path, { query: 'RETURN 1 AS one' })).status).toBe(200);
    await ask();
    const { store } = service;
    const transaction = store.transaction.bind(store);
    let statements = 0;
    // Other statements of the service are not in the scope of the graph.
    store.transaction = (scope, work, options) =>
      transaction(
        scope,
        (tx) => {
          const query = tx.query.bind(tx);
          tx.query = (statement) => {
            if (scope !== 'kernel') statements += 1;
            return query(statement);
          };
          return work(tx);
        },
        options,
      );
    try {
      await ask();
      expect(statements).toBe(1);
      statements = 0;
      await Promise.all(Array.from({ length: 8 }, ask));
      expect(statements).toBeGreaterThan(0);
      expect(statements).toBeLessThanOrEqual(8);
    } finally {
      store.transaction = transaction;
    }
  });
});
