/**
 * Starts graph servers.
 * @module-tag full-run
 */
import type { AnalyticalNode, AnalyticalRelationship, AnalyticalRow, GenerationRef } from '@pacioli/core/ports';
import { ask, batches, loading, running } from '@pacioli/graph-statements/testing';
import neo4j from 'neo4j-driver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BoltTestStore, openBoltTestStore } from '../test/bolt-test-store.ts';
import { reasonToSkip } from './testing/bolt-servers.ts';

const column = (name: string, type: string) => ({ name, type });
const Probe: AnalyticalNode = {
  kind: 'node',
  name: 'Probe',
  extension: 'base',
  key: 'id',
  columns: [
    column('id', 'STRING'),
    column('i8', 'INT8'),
    column('i64', 'INT64'),
    column('u8', 'UINT8'),
    column('f', 'FLOAT'),
    column('d', 'DOUBLE'),
  ],
};
const Moment: AnalyticalNode = {
  kind: 'node',
  name: 'Moment',
  extension: 'base',
  key: 'at',
  columns: [column('at', 'TIMESTAMP'), column('note', 'STRING')],
};
const Saw: AnalyticalRelationship = {
  kind: 'relationship',
  name: 'SAW',
  extension: 'base',
  from: 'Probe',
  to: 'Moment',
  columns: [column('from', 'STRING'), column('to', 'TIMESTAMP'), column('times', 'UINT8')],
};
const ref: GenerationRef = { graphId: 'kg00000000000000000006_types', generation: 0 };
const restored: GenerationRef = { ...ref, generation: 1 };
const { signal } = loading;
const reason = reasonToSkip();

describe.skipIf(reason !== undefined)(`declared types on a server${reason === undefined ? '' : `: ${reason}`}`, () => {
  let under: BoltTestStore;

  beforeAll(async () => {
    under = await openBoltTestStore(2);
    await under.store.create(ref, { nodes: [Probe, Moment], relationships: [Saw] });
    await load(Probe, [{ id: 'a', i8: 127, i64: -9223372036854775807n, u8: 255, f: 1.5, d: 0.1 }]);
    await load(Moment, [
      { at: '0024-05-01T00:00:00Z', note: 'old' },
      { at: '1924-05-01T00:00:00Z', note: 'new' },
    ]);
    await load(Saw, [{ from: 'a', to: '0024-05-01T00:00:00Z', times: 1 }]);
    await under.store.promote(ref);
  });
  afterAll(() => under.close());

  const load = (table: AnalyticalNode | AnalyticalRelationship, rows: readonly AnalyticalRow[]) =>
    under.store.load(ref, table, { kind: 'rows', batches: batches(rows) }, loading);
  const write = async (text: string, parameters = {}) => {
    const rows = [];
    for await (const chunk of await under.store.write(ref, text, parameters, running())) rows.push(...chunk);
    return rows;
  };
  const exported = async (name: string) => {
    const rows = [];
    for await (const batch of under.store.readTable(ref, name, signal)) rows.push(...batch);
    return rows;
  };
  /** Changes rows without the checks of the store, as a release before them did. */
  const changeDirectly = async (text: string) => {
    const driver = neo4j.driver(under.databases[0]?.url ?? '');
    try {
      await driver.executeQuery(text);
    } finally {
      await driver.close();
    }
  };
  const snapshot = async () => {
    const { format, chunks } = await under.store.snapshot(ref, signal);
    const content: Uint8Array[] = [];
    for await (const chunk of chunks) content.push(chunk);
    async function* streamed() {
      yield* content;
    }
    return { format, chunks: streamed() };
  };

  it.each([
    ['i8: 300', 'i8 is 300, and INT8 takes -127 to 127'],
    ['i8: -128', 'i8 is -128, and INT8 takes -127 to 127'],
    ['u8: -1', 'u8 is -1, and UINT8 takes 0 to 255'],
    ['u8: 256', 'u8 is 256, and UINT8 takes 0 to 255'],
    [
      'i64: -9223372036854775808',
      'i64 is -9223372036854775808, and INT64 takes -9223372036854775807 to 9223372036854775807',
    ],
  ])('refuse a write of {%s} (graphs E-34)', async (property, fault) => {
    await expect(write(`CREATE (p:Probe {id: 'b', ${property}}) RETURN p.id`)).rejects.toMatchObject({
      code: 'runtime',
      message: `Nothing was written, because of Probe b: ${fault}.`,
    });
    expect(await ask(under.store, ref, 'MATCH (p:Probe) RETURN count(p)')).toEqual([[1]]);
  });

  it.each([
    [
      "MATCH (p:Probe {id: 'a'}) DELETE p",
      'runtime',
      'because a node to delete still has relationships (SAW): use DETACH DELETE, or delete them first.',
    ],
    [
      'MATCH (p:Probe), (m:Moment) CREATE (m)-[:SAW]->(p)',
      'bind',
      'because it does not fit the schema of this graph. SAW goes from Probe to Moment.',
    ],
    [
      "MATCH (p:Probe {id: 'a'}) SET p.i8 = 1.5, p.u8 = 'x'",
      'bind',
      'because it does not fit the schema of this graph. Probe a: i8 must be INT8, u8 must be UINT8.',
    ],
    [
      "MATCH (p:Probe {id: 'a'}) SET p += {nope: 1}, p.id = null",
      'bind',
      'because it does not fit the schema of this graph. A row of Probe: id must be STRING, nope is not declared.',
    ],
  ])(
    'are kept with ends and types as declared, and an error names the row and what is wrong in it: %s (graphs E-34)',
    async (text, code, reason) => {
      await expect(write(text)).rejects.toMatchObject({ code, message: `Nothing was written, ${reason}` });
      expect(await ask(under.store, ref, 'MATCH (:Probe)-[s:SAW]->(:Moment) RETURN count(s)')).toEqual([[1]]);
    },
  );

  it.each(['1e39', '1e300'])('refuse a write of %s to a FLOAT (graphs E-34)', async (number) => {
    await expect(write(`CREATE (p:Probe {id: 'b', f: ${number}})`)).rejects.toMatchObject({
      code: 'runtime',
      message: 'Nothing was written, because a number in Probe would not be finite (f).',
    });
  });

  it('refuse a write to a relationship, by the keys of its ends (graphs E-34)', async () => {
    await expect(write('MATCH ()-[s:SAW]->() SET s.times = 256')).rejects.toMatchObject({
      code: 'runtime',
      message: 'Nothing was written, because of SAW a -> 0024-05-01T00:00:00Z: times is 256, and UINT8 takes 0 to 255.',
    });
  });

  it('count a number that a type does not hold as a reject of a load (graphs M-24, T-6)', async () => {
    await expect(load(Probe, [{ id: 'c', i8: -128, i64: null, u8: null, f: null, d: null }])).rejects.toMatchObject({
      code: 'rejected-rows',
      rejects: [{ reason: 'cast', count: 1, examples: ['c'] }],
    });
  });

  it('do not stop a backup of rows from before the check, and name what an export cannot hold', async () => {
    await changeDirectly("CREATE (:Probe {id: 'x', i8: 300, f: 1e300, d: 0.0/0.0})");
    try {
      await under.store.restore(restored, await snapshot(), signal);
      const rows = "MATCH (p:Probe {id: 'x'}) RETURN p.i8, p.f, p.d";
      expect(await ask(under.store, restored, rows)).toEqual([[300, 1e300, Number.NaN]]);
      await under.store.drop(restored);
      await expect(exported('Probe')).rejects.toMatchObject({
        code: 'incompatible',
        message: 'Probe x: i8 is 300, and INT8 takes -127 to 127. Change or remove this row first.',
      });
    } finally {
      await changeDirectly("MATCH (p:Probe {id: 'x'}) DELETE p");
    }
    expect(await exported('Probe')).toHaveLength(1);
  });

  it('make whole numbers of a DOUBLE floats before a write returns or calculates with them (graphs E-34)', async () => {
    const rounded = 9007199254740992;
    const create =
      "CREATE (p:Probe {id: 'e', d: 9007199254740993, f: $one}) RETURN p.d AS d, p.d / 2 AS half, p.f / 2 AS f";
    expect(await write(create, { one: 1 })).toEqual([[rounded, rounded / 2, 0.5]]);
    const set = "MATCH (p:Probe {id: 'e'}) SET p.d = 9007199254740993 + 0, p.i8 = 7 RETURN p.d, p.i8, p";
    expect(await write(set)).toMatchObject([[rounded, 7, { properties: { d: rounded, i8: 7 } }]]);
    const merge = "MERGE (p:Probe {id: 'e'}) ON MATCH SET p += {d: 9007199254740993, u8: 3} RETURN p.d, p.u8";
    expect(await write(merge)).toEqual([[rounded, 3]]);
    const read = "MATCH (p:Probe {id: 'e'}) RETURN p.d, p.d IS :: FLOAT AS isFloat, p.u8";
    expect(await ask(under.store, ref, read)).toEqual([[rounded, true, 3]]);
    await expect(write("MATCH (p:Probe {id: 'e'}) SET p.d = 'text'")).rejects.toMatchObject({ code: 'bind' });
    await write("MATCH (p:Probe {id: 'e'}) DELETE p");
  });

  it('keep the sign of a zero in a backup (graphs E-35)', async () => {
    await write("CREATE (p:Probe {id: 'z', d: -0.0, f: 0.0})");
    await under.store.restore(restored, await snapshot(), signal);
    const read = "MATCH (p:Probe {id: 'z'}) RETURN toString(p.d), toString(p.f)";
    expect(await ask(under.store, restored, read)).toEqual([['-0.0', '0.0']]);
    await under.store.drop(restored);
    await write("MATCH (p:Probe {id: 'z'}) DELETE p");
  });

  it('keep instants of the first century apart from those of the twentieth (graphs T-6)', async () => {
    const read = 'MATCH (m:Moment) RETURN m.at, m.note ORDER BY m.at';
    const moments = [
      [{ valueKind: 'timestamp', text: '0024-05-01T00:00:00Z' }, 'old'],
      [{ valueKind: 'timestamp', text: '1924-05-01T00:00:00Z' }, 'new'],
    ];
    expect(await ask(under.store, ref, read)).toEqual(moments);
    await under.store.restore(restored, await snapshot(), signal);
    expect(await ask(under.store, restored, read)).toEqual(moments);
    expect(await exported('Moment')).toHaveLength(2);
    await under.store.drop(restored);
    const twice = [{ at: '0024-05-01 02:00:00+02:00', note: 'same' }];
    await expect(load(Moment, twice)).rejects.toMatchObject({
      code: 'rejected-rows',
      rejects: [{ reason: 'duplicate', count: 1 }],
    });
  });

  it('take a key of 8164 bytes, and name the table and the property of a longer one (graphs M-24)', async () => {
    const longest = 'k'.repeat(8_164);
    await write('CREATE (p:Probe {id: $id})', { id: longest });
    await write('MATCH (p:Probe {id: $id}) DELETE p', { id: longest });
    const tooLong = 'é'.repeat(4_083);
    for (const text of ['CREATE (p:Probe {id: $id})', 'MERGE (p:Probe {id: $id})'])
      await expect(write(text, { id: tooLong })).rejects.toMatchObject({
        code: 'runtime',
        message: 'Nothing was written, because Probe.id is a key, and a key has at most 8164 bytes of text.',
      });
    const row = { id: tooLong, i8: null, i64: null, u8: null, f: null, d: null };
    const example = `${'é'.repeat(60)}… (8166 bytes)`;
    await expect(load(Probe, [row])).rejects.toMatchObject({
      code: 'rejected-rows',
      message:
        `Probe: 1 row has a value of another type (first: ${example}). ` +
        '1 row has a text in Probe.id that is longer than the 8164 bytes of a key.',
      rejects: [{ reason: 'cast', count: 1, examples: [example] }],
    });
    expect(await ask(under.store, ref, 'MATCH (p:Probe) RETURN count(p)')).toEqual([[1]]);
  });
});
