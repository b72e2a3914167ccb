import type { GenerationRef, GraphStore, GraphValue } from '@pacioli/core/ports';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, batches, build, codeOf, company, running } from './graph-fixtures.ts';

const ref: GenerationRef = { graphId: 'kg00000000000000000004', generation: 1 };
const date = (text: string) => ({ valueKind: 'date', text });
const timestamp = (text: string) => ({ valueKind: 'timestamp', text });

const nodeB = {
  valueKind: 'node',
  label: 'Company',
  properties: {
    identifier: 'b',
    name: null,
    staff: 12,
    cents: -250,
    share: 0.25,
    listed: false,
    founded: null,
    seen: null,
  },
};
const nodeA = {
  valueKind: 'node',
  label: 'Company',
  properties: {
    identifier: 'a',
    name: 'Name a',
    staff: 7,
    cents: 125,
    share: 0.5,
    listed: true,
    founded: date('2020-02-29'),
    seen: timestamp('2026-01-02T03:04:05Z'),
  },
};
const owns = { valueKind: 'relationship', label: 'OWNS', properties: { percent: 12.5, since: date('2024-12-31') } };

/** Statements that mean the same on every engine, and their rows (graphs E-4). */
const answers: readonly (readonly [statement: string, rows: readonly (readonly unknown[])[]])[] = [
  ["MATCH (c:Company) WHERE c.identifier = 'b' RETURN c", [[nodeB]]],
  ["MATCH (a:Company)-[r:OWNS]->(b:Company) WHERE b.identifier = 'b' RETURN a, r, b", [[nodeA, owns, nodeB]]],
  [
    "MATCH p = (a:Company)-[r:OWNS]->(b:Company) WHERE b.identifier = 'b' RETURN p",
    [[{ valueKind: 'path', nodes: [nodeA, nodeB], relationships: [owns] }]],
  ],
  [
    'MATCH p = (a:Company)-[:OWNS*1..2]->(b:Company) RETURN a.identifier, length(p) AS steps, b.identifier ORDER BY a.identifier, steps',
    [
      ['a', 1, 'b'],
      ['a', 2, 'c'],
      ['b', 1, 'c'],
    ],
  ],
  [
    'MATCH (c:Company) RETURN count(*) AS n, sum(c.cents) AS cents, min(c.staff) AS low, max(c.share) AS high, avg(c.staff) AS mean',
    [[3, -125, 7, 0.5, 9.5]],
  ],
  ['MATCH (c:Company) WITH c ORDER BY c.identifier LIMIT 10 RETURN collect(c.identifier) AS ids', [[['a', 'b', 'c']]]],
  ["MATCH (c:Company) WHERE c.founded > date('2019-12-31') RETURN c.identifier ORDER BY c.identifier", [['a']]],
  ["RETURN date('2026-02-28') AS day", [[date('2026-02-28')]]],
  ['RETURN 7 / 2 AS whole, 7.0 / 2 AS part, 7 % 2 AS rest, -7 AS negative', [[3, 3.5, 1, -7]]],
  [
    "RETURN [1, 2, 3] AS list, {a: 1, b: 'x'} AS map, [[1], [2]] AS nested",
    [[[1, 2, 3], { valueKind: 'record', fields: { a: 1, b: 'x' } }, [[1], [2]]]],
  ],
  ['RETURN null AS nothing, true AS yes, false AS no', [[null, true, false]]],
  [
    "RETURN 'a' + 'b' AS text, size('abc') AS length, 'abc' STARTS WITH 'a' AS begins, 'abc' CONTAINS 'd' AS has",
    [['ab', 3, true, false]],
  ],
  ["RETURN 'quote \\' and \\\\ and \\n' AS text", [["quote ' and \\ and \n"]]],
  ['UNWIND [3, 1, 2] AS x RETURN x ORDER BY x DESC SKIP 1 LIMIT 1', [[2]]],
  ['UNWIND [1, 1, 2] AS x RETURN DISTINCT x ORDER BY x', [[1], [2]]],
  ['RETURN 1 AS x UNION ALL RETURN 1 AS x', [[1], [1]]],
  ["RETURN CASE WHEN 2 > 1 THEN 'more' ELSE 'less' END AS word", [['more']]],
  ["RETURN substring('hello', 1, 3) AS a, substring(substring('hello', 2, 4), 2, 30) AS b", [['hel', 'llo']]],
  [
    "UNWIND [-1, 0, 2, 9] AS i RETURN i, substring('hello', i, 2) AS a, substring('hello', 0, 3) AS b ORDER BY i",
    [
      [-1, '', ''],
      [0, '', ''],
      [2, 'el', ''],
      [9, '', ''],
    ],
  ],
  ['RETURN substring(null, 0, 3) AS nothing', [[null]]],
  [
    "RETURN timestamp('2026-01-02T03:04:05+02:00') AS at, timestamp('2026-01-02 03:04:05.123456789') AS cut",
    [[timestamp('2026-01-02T01:04:05Z'), timestamp('2026-01-02T03:04:05.123456Z')]],
  ],
  [
    "MATCH (c:Company) WHERE c.seen = timestamp('2026-01-02 03:04:05') RETURN c.identifier ORDER BY c.identifier",
    [['a'], ['c']],
  ],
  [
    "RETURN timestamp('2026-01-02') AS day, timestamp('2026-01-02T03:04:05.25Z') AS at",
    [[timestamp('2026-01-02T00:00:00Z'), timestamp('2026-01-02T03:04:05.25Z')]],
  ],
  ['CALL show_tables() WHERE type = "REL" RETURN name, type', [['OWNS', 'REL']]],
  [
    "CALL table_info('Company') RETURN name, type, `primary key` ORDER BY `property id` LIMIT 3",
    [
      ['identifier', 'STRING', true],
      ['name', 'STRING', false],
      ['staff', 'INT32', false],
    ],
  ],
  [
    "CALL table_info('OWNS') RETURN *",
    [
      [1, 'percent', 'DOUBLE', 'NULL', 'both'],
      [2, 'since', 'DATE', 'NULL', 'both'],
    ],
  ],
  ["CALL show_connection('OWNS') RETURN *", [['Company', 'Company', 'identifier', 'identifier']]],
  ['CALL show_indexes() RETURN *', [['Company', '_PK', 'HASH', ['identifier'], true, '']]],
  ['RETURN coalesce(null, 5) AS five, abs(-3) AS three', [[5, 3]]],
  [
    'MATCH (c:Company) OPTIONAL MATCH (c)-[:OWNS]->(o:Company) RETURN c.identifier, o.identifier ORDER BY c.identifier',
    [
      ['a', 'b'],
      ['b', 'c'],
      ['c', null],
    ],
  ],
  [
    'MATCH (c:Company) WHERE EXISTS { MATCH (c)-[:OWNS]->(:Company) } RETURN c.identifier ORDER BY c.identifier',
    [['a'], ['b']],
  ],
  ['MATCH (c:Company) WHERE c.name IS NULL RETURN c.identifier', [['b']]],
  ['MATCH (c:Company) WHERE c.staff >= 7 AND NOT c.listed RETURN c.identifier', [['b']]],
  [
    "MATCH (a:Company)-[r:OWNS]->() WHERE a.identifier = 'a' RETURN type(r), label(r), label(a)",
    [['OWNS', 'OWNS', 'Company']],
  ],
  [
    "MATCH p = (a:Company)-[:OWNS]->() WHERE a.identifier = 'a' RETURN size(rels(p)) AS n, size(nodes(p)) AS m",
    [[1, 2]],
  ],
];

/** Without what differs between engines: ids are opaque (graphs 21.4). */
function withoutIds(value: GraphValue): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutIds(item));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !['id', 'source', 'target'].includes(name))
      .map(([name, content]) => [name, withoutIds(content as GraphValue)]), // Made of values only.
  );
}

/** The part of the suite that compares answers between engines. */
export function describePortableAnswers(storeUnderTest: () => GraphStore): void {
  describe('answers that are the same on every engine', () => {
    beforeAll(async () => {
      const rows = [
        company('a'),
        company('b', { name: null, staff: 12, cents: -250n, share: 0.25, listed: false, founded: null, seen: null }),
        company('c', { staff: null, cents: 0n, share: null, founded: '1999-01-01', listed: null }),
      ];
      await build(storeUnderTest(), ref, batches(rows), [
        { from: 'a', to: 'b', percent: 12.5, since: '2024-12-31' },
        { from: 'b', to: 'c' },
      ]);
    });

    it.each(answers)('%s (graphs E-4, Q-45)', async (statement, rows) => {
      const found = await ask(storeUnderTest(), ref, statement);
      expect(found.map((row) => row.map(withoutIds))).toEqual(rows);
    });

    it.each([
      'MATCH (c:Company) RETURN c.nope',
      'MATCH (c:Company) WHERE c.nope = 1 RETURN c.identifier',
      'MATCH (c:Company {nope: 1}) RETURN c.identifier',
      'MATCH (c:Company)-[r:OWNS]->() RETURN r.nope',
      'MATCH (c:Company)-[r:OWNS {nope: 1}]->() RETURN c.identifier',
      'MATCH (c) RETURN c.nope',
      'MATCH (c:Company) WITH c LIMIT 1 RETURN c.nope',
      'MATCH (c:`Comp``any`) RETURN c.identifier',
    ])('refuses a name that the graph does not declare: %s (graphs 21.4)', async (statement) => {
      expect(await codeOf(ask(storeUnderTest(), ref, statement))).toBe('bind');
    });

    it('binds parameters of every JSON type exactly (graphs Q-45a)', async () => {
      const given = {
        text: 'O\'Neil "&" \\ 会社',
        whole: 3,
        exact: 9007199254740993n,
        part: 0.1,
        yes: true,
        list: ['a', 'b'],
        nested: [[1], [2]],
        record: { a: 1, b: { c: 'x' } },
        records: [{ a: 1 }, { a: 2 }],
        nothing: null,
      };
      const names = Object.keys(given);
      const [row] = await ask(
        storeUnderTest(),
        ref,
        `RETURN ${names.map((name) => `$${name} AS ${name}`).join(', ')}`,
        given,
      );
      const record = (fields: Record<string, unknown>) => ({ valueKind: 'record', fields });
      expect(row).toEqual([
        ...[given.text, 3, 9007199254740993n, 0.1, true, ['a', 'b'], [[1], [2]]],
        record({ a: 1, b: record({ c: 'x' }) }),
        [record({ a: 1 }), record({ a: 2 })],
        null,
      ]);
    });

    it('names a column by an alias with a backtick (graphs Q-40)', async () => {
      const text = 'UNWIND [2, 1] AS x RETURN x AS `a``b`, x + 1 AS `c d` ORDER BY `a``b`';
      const stream = await storeUnderTest().run(ref, text, {}, running());
      const rows = [];
      for await (const chunk of stream) rows.push(...chunk);
      expect([stream.columns, rows]).toEqual([
        ['a`b', 'c d'],
        [
          [1, 2],
          [2, 3],
        ],
      ]);
    });

    it('takes a number of rows from a parameter', async () => {
      const text = 'MATCH (c:Company) RETURN c.identifier ORDER BY c.identifier SKIP $from LIMIT $most';
      expect(await ask(storeUnderTest(), ref, text, { from: 1, most: 1 })).toEqual([['b']]);
    });
  });
}
