import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphStore } from '@pacioli/core/ports';
import { ask, running } from '@pacioli/graph-statements/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ladybugGraphStore } from './index.ts';
import { lostValueChecks } from './worker/lost-values.ts';

const column = (name: string, type: string) => ({ name, type });
const schema = {
  nodes: [
    {
      kind: 'node' as const,
      name: 'Probe',
      key: 'id',
      columns: [
        column('id', 'STRING'),
        column('share', 'DOUBLE'),
        column('small', 'FLOAT'),
        column('list', 'DOUBLE[]'),
        column('fixed', 'FLOAT[2]'),
        column('grid', 'FLOAT[2][]'),
        column('pair', 'STRUCT(x DOUBLE, y STRING)'),
        column('counts', 'MAP(STRING, DOUBLE)'),
        column('either', 'UNION(count INT64, share DOUBLE, note STRING)'),
        ...[8, 16, 32, 64].map((bits) => column(`whole${bits}`, `INT${bits}`)),
        column('wholes', 'INT8[]'),
        column('pairs', 'INT16[2][]'),
        column('totals', 'MAP(INT8, INT32)'),
        column('day', 'DATE'),
        column('moment', 'TIMESTAMP'),
        column('days', 'DATE[]'),
        column('moments', 'TIMESTAMP[]'),
      ],
    },
  ],
  relationships: [
    {
      kind: 'relationship' as const,
      name: 'NEAR_TO',
      from: 'Probe',
      to: 'Probe',
      columns: [column('from', 'STRING'), column('to', 'STRING'), column('share', 'DOUBLE')],
    },
  ],
};

describe('writes of values that the engine loses', () => {
  const ref = { graphId: 'kg1_finite', generation: 1 };
  let folder: string;
  let store: GraphStore;

  const write = async (text: string) => (await store.write(ref, text, {}, running())).cancel();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pacioli-finite-'));
    store = ladybugGraphStore({ folder });
    await store.create(ref, schema as never); // The types of a generic graph, which plugins cannot declare.
    await write("CREATE (:Probe {id: 'a', share: 0.1})-[:NEAR_TO {share: 0.1}]->(:Probe {id: 'b', share: 0.1})");
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    "CREATE (:Probe {id: 'c', share: cast('NaN' AS DOUBLE)})",
    "MATCH (p:Probe {id: 'b'}) SET p.share = 1.0 / 0.0",
    "MATCH (p:Probe {id: 'b'}) SET p.share = 1e400",
    "MATCH (p:Probe {id: 'b'}) SET p.small = cast('inf' AS FLOAT)",
    "MATCH (p:Probe {id: 'b'}) SET p.list = [0.1, cast('NaN' AS DOUBLE)]",
    "MATCH (p:Probe {id: 'b'}) SET p.fixed = [cast(0.1 AS FLOAT), cast('NaN' AS FLOAT)]",
    "MATCH (p:Probe {id: 'b'}) SET p.grid = [[cast(0.1 AS FLOAT), cast('-inf' AS FLOAT)]]",
    "MATCH (p:Probe {id: 'b'}) SET p.pair = {x: cast('NaN' AS DOUBLE), y: 'NaN'}",
    "MATCH (p:Probe {id: 'b'}) SET p.counts = map(['k'], [0.0 / 0.0])",
    "MATCH (p:Probe {id: 'b'}) SET p.either = -1.0 / 0.0",
    'MATCH (:Probe)-[r:NEAR_TO]->(:Probe) SET r.share = sqrt(-1.0)',
  ])('are refused as not finite, and nothing is written (graphs T-6): %s', async (text) => {
    await expect(store.write(ref, text, {}, running())).rejects.toMatchObject({ code: 'runtime' });
    expect(await ask(store, ref, 'MATCH (p:Probe) RETURN p.id, p.share, p.list ORDER BY p.id')).toEqual([
      ['a', 0.1, null],
      ['b', 0.1, null],
    ]);
  });

  it.each(['p.small = $x', 'p.fixed = [$x, $x]'])(
    'are refused as a number too large for a FLOAT, by %s (graphs T-6)',
    async (assignment) => {
      const text = `MATCH (p:Probe {id: 'b'}) SET ${assignment}`;
      await expect(store.write(ref, text, { x: 1e39 }, running())).rejects.toMatchObject({ code: 'runtime' });
      expect(await ask(store, ref, "MATCH (p:Probe {id: 'b'}) RETURN p.small, p.fixed")).toEqual([[null, null]]);
    },
  );

  it.each([
    ['p.whole8 = -128', {}],
    ['p.whole16 = $x', { x: -32768 }],
    ['p.whole32 = -2147483647 - 1', {}],
    ["p.whole64 = cast('-9223372036854775808' AS INT64)", {}],
    ['p.wholes = [1, $x]', { x: -128 }],
    ['p.pairs = [[cast(1 AS INT16), cast(-32768 AS INT16)]]', {}],
    ['p.totals = map([cast(-128 AS INT8)], [cast(1 AS INT32)])', {}],
    ['p.totals = map([cast(1 AS INT8)], [cast(-2147483648 AS INT32)])', {}],
    ["p.either = cast('-9223372036854775808' AS INT64)", {}],
  ])('are refused as the smallest number of a type, by %s (graphs T-6)', async (assignment, parameters) => {
    const text = `MATCH (p:Probe {id: 'b'}) SET ${assignment}`;
    await expect(store.write(ref, text, parameters, running())).rejects.toMatchObject({
      code: 'runtime',
      message: expect.stringMatching(
        /^Nothing was written, because the engine cannot keep the smallest number of a type in Probe \(\w+\)\.$/,
      ),
    });
    const read = 'p.whole8, p.whole16, p.whole32, p.whole64, p.wholes, p.pairs, p.either';
    expect(await ask(store, ref, `MATCH (p:Probe {id: 'b'}) RETURN ${read}`)).toEqual([Array(7).fill(null)]);
  });

  it.each([
    "p.day = date('9999-12-31') + 1",
    "p.moment = timestamp('0001-01-01 00:00:00') - interval('1 second')",
    "p.days = [date('2026-01-01'), date('9999-12-31') + 1]",
    "p.moments = [timestamp('0001-01-01 00:00:00') - interval('1 second')]",
  ])('are refused as dates outside of the years 1 to 9999, by %s (graphs T-6)', async (assignment) => {
    const text = `MATCH (p:Probe {id: 'b'}) SET ${assignment}`;
    await expect(store.write(ref, text, {}, running())).rejects.toMatchObject({
      code: 'runtime',
      message: expect.stringMatching(
        /^Nothing was written, because a date or timestamp in Probe would be outside of the years 1 to 9999 \([\w, ]+\)\.$/,
      ),
    });
  });

  it('leave the first and the last dates as they are', async () => {
    await write(`MATCH (p:Probe {id: 'b'}) SET p.day = date('0001-01-01'), p.moment = timestamp('9999-12-31 23:59:59.5'),
      p.days = [date('0001-01-01'), date('9999-12-31')], p.moments = [timestamp('0001-01-01 00:00:00.25')]`);
    const [row] = await ask(store, ref, "MATCH (p:Probe {id: 'b'}) RETURN p.day, p.moment, p.days, p.moments");
    expect(row).toMatchObject([
      { text: '0001-01-01' },
      { text: '9999-12-31T23:59:59.5Z' },
      [{ text: '0001-01-01' }, { text: '9999-12-31' }],
      [{ text: '0001-01-01T00:00:00.25Z' }],
    ]);
  });

  it('leave the numbers next to the smallest as they are, after a checkpoint too', async () => {
    await write(`MATCH (p:Probe {id: 'b'}) SET p.whole8 = -127, p.whole16 = -32767, p.whole32 = -2147483647,
      p.whole64 = -9223372036854775807, p.wholes = [1, -127]`);
    await write("MATCH (p:Probe {id: 'a'}) SET p.whole8 = 1, p.whole16 = 1, p.whole32 = 1, p.whole64 = 1");
    await store.close();
    store = ladybugGraphStore({ folder });
    const read = 'p.whole8, p.whole16, p.whole32, p.whole64, p.wholes';
    expect(await ask(store, ref, `MATCH (p:Probe {id: 'b'}) RETURN ${read}`)).toEqual([
      [-127, -32767, -2147483647, -9223372036854775807n, [1, -127]],
    ]);
  });

  it('names the table and the properties', async () => {
    const text = "MATCH (p:Probe {id: 'b'}) SET p.share = 0.0 / 0.0";
    await expect(store.write(ref, text, {}, running())).rejects.toMatchObject({
      message: 'Nothing was written, because a number in Probe would not be finite (share).',
    });
  });

  it('leave finite numbers of every type as they are', async () => {
    await write(`MATCH (p:Probe {id: 'b'}) SET p.share = 0.5 * 2, p.small = cast(0.5 AS FLOAT), p.list = [0.5, 1.0],
      p.fixed = [cast(0.5 AS FLOAT), cast(1 AS FLOAT)], p.grid = [[cast(0.5 AS FLOAT), cast(1 AS FLOAT)]], p.pair = {x: 0.5, y: 'NaN'}, p.counts = map(['k'], [0.5]),
      p.either = 'infinite'`);
    expect(
      await ask(store, ref, "MATCH (p:Probe {id: 'b'}) RETURN p.share, p.small, p.list, p.fixed, p.pair.x"),
    ).toEqual([[1, 0.5, [0.5, 1], [0.5, 1], 0.5]]);
    await write("MATCH (p:Probe {id: 'b'}) SET p.share = 0.1, p.list = null");
  });

  it('are looked for only where the statement could have made one', () => {
    const properties = new Map([['Probe', new Map([['share', 'DOUBLE']])]]);
    for (const text of [
      "MATCH (p:Probe {id: 'b'})-[r:NEAR_TO]->(q) SET p.share = 0.5",
      'CREATE (:Probe {id: $id, share: $share})--(:Probe)<-[:NEAR_TO]-(:Probe)',
      'MATCH (p:Probe) SET p.size = 1 / 2',
    ])
      expect([text, lostValueChecks(text, properties)]).toEqual([text, []]);
    expect(lostValueChecks('MATCH (p:Probe) SET p.share = p.share * 2', properties)).toHaveLength(1);
  });
});
