import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GenerationRef, GraphStore, GraphValue } from '@pacioli/core/ports';
import { ask, running } from '@pacioli/graph-statements/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ladybugGraphStore } from './index.ts';

const column = (name: string, type: string) => ({ name, type });
const node = (name: string, ...columns: readonly { readonly name: string; readonly type: string }[]) => ({
  kind: 'node' as const,
  name,
  key: 'id',
  columns: [column('id', 'STRING'), ...columns],
});
const empty = node('Empty', column('note', 'STRING'));
const mixed = node('Mixed', column('tag', 'UNION(num INT64, word STRING)'));
const noted = {
  kind: 'relationship' as const,
  name: 'NOTED',
  from: 'Empty',
  to: 'Mixed',
  columns: [column('from', 'STRING'), column('to', 'STRING')],
};
const schema = {
  nodes: [
    node(
      'Account',
      column('balance', 'DECIMAL(18, 2)'),
      column('rate', 'DECIMAL(5, 4)'),
      column('at', 'TIMESTAMP'),
      column('big', 'INT64'),
      column('unsigned', 'UINT64'),
      column('huge', 'INT128'),
      column('since', 'DATE'),
      column('share', 'DOUBLE'),
      column('open', 'BOOLEAN'),
      column('seal', 'BLOB'),
      column('tags', 'STRING[]'),
      column('parts', 'DECIMAL(10, 3)[]'),
      column('term', 'INTERVAL'),
    ),
    empty,
    node('Counter', column('value', 'INT64')),
    mixed,
  ],
  relationships: [
    {
      kind: 'relationship' as const,
      name: 'OWES',
      from: 'Account',
      to: 'Account',
      columns: [
        column('from', 'STRING'),
        column('to', 'STRING'),
        column('sum', 'DECIMAL(10, 3)'),
        column('at', 'TIMESTAMP'),
      ],
    },
    noted,
  ],
};

const mixedRows = [
  `CREATE (:Empty {id: 'f'})-[:NOTED]->(:Mixed {id: 'm', tag: cast(5 AS UNION(num INT64, word STRING))})`,
  `CREATE (:Mixed {id: 'n', tag: cast('a, b}' AS UNION(num INT64, word STRING))}), (:Mixed {id: 'o'})`,
];

const decimal = (text: string) => ({ valueKind: 'decimal', text });
const timestamp = (text: string) => ({ valueKind: 'timestamp', text });
const properties = {
  id: 'a, balance: 9}]',
  balance: decimal('-0.01'),
  rate: decimal('-0.0050'),
  at: timestamp('1969-12-31T23:59:59.000001Z'),
  big: -9007199254740993n,
  unsigned: 18446744073709551615n,
  huge: -170141183460469231731687303715884105727n,
  since: { valueKind: 'date', text: '2026-01-31' },
  share: 1e300,
  open: true,
  seal: new Uint8Array([170, 44, 32, 125, 39]),
  tags: ['', 'x, y]', null, '}'],
  parts: [decimal('-0.001'), null, decimal('12.300')],
  term: { valueKind: 'duration', text: 'P1Y2DT3H' },
};
const nothing = Object.fromEntries(Object.keys(properties).map((name) => [name, null]));
const owed = { sum: decimal('-0.250'), at: timestamp('2026-01-01T00:00:00.123456Z') };

describe('values that the binding of the engine truncates', () => {
  const ref = { graphId: 'kg1_exact', generation: 1 };
  const plain = { graphId: 'kg1_plain', generation: 1 };
  let folder: string;
  let store: GraphStore;

  const write = async (of: GenerationRef, text: string) => {
    await (await store.write(of, text, {}, running())).cancel();
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-exact-'));
    store = ladybugGraphStore({ folder });
    await store.create(ref, schema as never); // The types of a generic graph, which plugins cannot declare.
    for (const text of [
      `CREATE (:Account {id: 'a, balance: 9}]', balance: cast('-0.01' AS DECIMAL(18, 2)), rate: cast('-0.005' AS DECIMAL(5, 4)),
        at: timestamp('1969-12-31 23:59:59.000001'), big: -9007199254740993, unsigned: cast('18446744073709551615' AS UINT64),
        huge: cast('-170141183460469231731687303715884105727' AS INT128), since: date('2026-01-31'), share: 1e300, open: true,
        seal: blob('\\\\xAA\\\\x2C\\\\x20\\\\x7D\\\\x27'), tags: ['', 'x, y]', null, '}'],
        parts: [cast('-0.001' AS DECIMAL(10, 3)), null, cast('12.3' AS DECIMAL(10, 3))],
        term: interval('1 year 2 days 3 hours')})`,
      `CREATE (:Account {id: 'b'}), (:Counter {id: 'c', value: 9007199254740993}), (:Empty {id: 'e'})`,
      `MATCH (a:Account {id: 'b'}), (b:Account) WHERE b.id <> 'b' CREATE (a)-[:OWES {sum: cast('-0.25' AS DECIMAL(10, 3)),
        at: timestamp('2026-01-01 00:00:00.123456')}]->(b)`,
      ...mixedRows,
    ])
      await write(ref, text);
    await store.create(plain, { nodes: [empty, mixed], relationships: [noted] } as never);
    for (const text of mixedRows) await write(plain, text);
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const read = async (text: string): Promise<GraphValue> => (await ask(store, ref, text))[0]?.[0] ?? null;

  it.each(['-0.01', '-0.1', '-0.10', '-1.00', '0.00', '0.01', '-12.50', '-0.99', '99.99'])(
    'are the decimal %s with all of its digits (graphs Q-45)',
    async (text) => {
      const [whole = '', fraction = ''] = text.split('.');
      const expected = decimal(`${whole}.${fraction.padEnd(4, '0')}`);
      expect(await read(`RETURN cast('${text}' AS DECIMAL(18, 4)) AS x`)).toEqual(expected);
      expect(await read(`RETURN [cast('${text}' AS DECIMAL(18, 4))] AS x`)).toEqual([expected]);
    },
  );

  it('are exact within a node, whatever its texts contain (graphs Q-45)', async () => {
    const found = await ask(store, ref, 'MATCH (a:Account) RETURN a ORDER BY a.id');
    expect(found.map(([account]) => account)).toEqual([
      { valueKind: 'node', id: expect.any(String), label: 'Account', properties },
      { valueKind: 'node', id: expect.any(String), label: 'Account', properties: { ...nothing, id: 'b' } },
    ]);
  });

  it('are exact within a relationship, a path and a list of nodes (graphs Q-45)', async () => {
    const [found = []] = await ask(
      store,
      ref,
      'MATCH p = (b:Account)-[r:OWES]->(a:Account) RETURN r, p, [a] AS nodes, r.sum AS sum',
    );
    const account = { valueKind: 'node', label: 'Account', properties };
    const relationship = { valueKind: 'relationship', label: 'OWES', properties: owed };
    expect(found).toMatchObject([
      relationship,
      { valueKind: 'path', nodes: [{ properties: { ...nothing, id: 'b' } }, account], relationships: [relationship] },
      [account],
      decimal('-0.250'),
    ]);
    expect(await read('MATCH (:Account)-[r:OWES*1..2]->(:Account) RETURN r')).toMatchObject({
      relationships: [relationship],
    });
  });

  it.each([
    ['read as text, because of an account', ref, ['c']],
    ['read as they are', plain, []],
  ])('are those of its own table in each node where tables meet: %s (graphs Q-45)', async (_form, of, others) => {
    const empty = { label: 'Empty', properties: { id: 'f', note: null } };
    const mixed = { label: 'Mixed', properties: { id: 'm', tag: 5 } };
    const either = [expect.objectContaining(empty), expect.objectContaining(mixed)];
    const text = 'MATCH p = (a:Empty:Mixed)-[:NOTED]->(b:Empty:Mixed) RETURN a, b, p, [b] AS nodes';
    const [[first, second, path, list] = []] = await ask(store, of, text);
    expect([first, second]).toEqual(either);
    expect(path).toMatchObject({ valueKind: 'path', nodes: either });
    expect(list).toEqual(either.slice(1));
    const all = await ask(store, of, "MATCH (n) WHERE n.id IN ['c', 'f', 'm', 'n', 'o'] RETURN n ORDER BY n.id");
    expect(all.slice(others.length).map(([node]) => node)).toEqual([
      ...either,
      expect.objectContaining({ properties: { id: 'n', tag: 'a, b}' } }),
      expect.objectContaining({ properties: { id: 'o', tag: null } }),
    ]);
  });

  it('are the member of a union (graphs T-6)', async () => {
    const text = "MATCH (m:Mixed) WHERE m.id <> 'o' RETURN m.tag, [m.tag] AS tags ORDER BY m.id";
    expect(await ask(store, ref, text)).toEqual([
      [5, [5]],
      ['a, b}', ['a, b}']],
    ]);
  });

  it('are exact within lists, records and maps (graphs Q-45)', async () => {
    expect(await read('MATCH (a:Account) RETURN collect(a.balance) AS x')).toEqual([decimal('-0.01')]);
    expect(
      await read('MATCH (a:Account) WHERE a.big < 0 RETURN {at: a.at, inner: {sum: a.rate, name: a.id}} AS x'),
    ).toEqual({
      valueKind: 'record',
      fields: {
        at: properties.at,
        inner: { valueKind: 'record', fields: { sum: properties.rate, name: properties.id } },
      },
    });
    expect(await read("MATCH (a:Account) WHERE a.big < 0 RETURN map(['k'], [a.balance]) AS x")).toEqual({
      valueKind: 'map',
      entries: [['k', decimal('-0.01')]],
    });
    expect(await read('MATCH (a:Account) WHERE a.big < 0 RETURN [a.big, 1] AS x')).toEqual([-9007199254740993n, 1]);
    expect(await read("RETURN [interval('1 day 2 hours')] AS x")).toEqual([{ valueKind: 'duration', text: 'P1DT2H' }]);
  });

  it.each([
    "date('0001-01-01') - 1",
    "date('12345-01-01')",
    "timestamp('9999-12-31 23:59:59') + interval('1 second')",
    "[date('0001-01-01') - 400]",
    "[timestamp('0001-01-01 00:00:00') - interval('1 day')]",
    "map([date('0001-01-01') - 1], [1])",
    "map(['k'], [date('9999-12-31') + 100000000])",
  ])('are refused as dates of years without four digits: %s (graphs Q-45)', async (expression) => {
    await expect(ask(store, ref, `RETURN ${expression} AS x`)).rejects.toMatchObject({
      code: 'runtime',
      message: expect.stringContaining('outside of the years 1 to 9999: return it as cast(x AS STRING)'),
    });
    expect(await ask(store, ref, `RETURN cast(${expression} AS STRING) AS x`)).toEqual([[expect.any(String)]]);
  });

  it('are dates of the first and of the last year with four digits too (graphs Q-45)', async () => {
    const read = "date('0001-01-01') AS a, [date('9999-12-31')] AS b, timestamp('9999-12-31 23:59:59.999999') AS c";
    expect(await ask(store, ref, `RETURN ${read}, map([date('9999-12-31')], [1]) AS d`)).toEqual([
      [
        { valueKind: 'date', text: '0001-01-01' },
        [{ valueKind: 'date', text: '9999-12-31' }],
        timestamp('9999-12-31T23:59:59.999999Z'),
        { valueKind: 'map', entries: [['9999-12-31', 1]] },
      ],
    ]);
  });

  it('are exact in what a write returns', async () => {
    const text = "MATCH (c:Counter {id: 'c'}) SET c.value = c.value + 2 RETURN c";
    const stream = await store.write(ref, text, {}, running());
    const rows: unknown[] = [];
    for await (const chunk of stream) rows.push(...chunk);
    expect(rows).toMatchObject([[{ properties: { id: 'c', value: 9007199254740995n } }]]);
  });

  it('are refused where the statement cannot be rewritten, with the remedy', async () => {
    await expect(ask(store, ref, 'MATCH (a:Account) RETURN *')).rejects.toMatchObject({
      code: 'runtime',
      message: expect.stringContaining('name them in RETURN one by one: a.'),
    });
  });

  it('keeps a column whose name the language of the binding reserves', async () => {
    expect(await ask(store, ref, 'RETURN 1 AS __proto__, 2 AS b')).toEqual([[1, 2]]);
  });
});
