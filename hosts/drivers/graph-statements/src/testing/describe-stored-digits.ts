import type { AnalyticalNode, GenerationRef, GraphStore } from '@pacioli/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, batches, loading, running } from './graph-fixtures.ts';

const ref: GenerationRef = { graphId: 'kg00000000000000000006_dev', generation: 0 };
const Reading: AnalyticalNode = {
  kind: 'node',
  name: 'Reading',
  extension: 'base',
  key: 'identifier',
  columns: [
    { name: 'identifier', type: 'STRING' },
    { name: 'level', type: 'FLOAT' },
    { name: 'taken', type: 'TIMESTAMP' },
  ],
};

/** The part of the suite for values with more digits than their column: every engine stores the same ones. */
export function describeStoredDigits(storeUnderTest: () => GraphStore): void {
  describe('values with more digits than their column', () => {
    let store: GraphStore;
    const stored = (identifier: string) => [
      identifier,
      Math.fround(0.1),
      { valueKind: 'timestamp', text: '2026-01-02T01:04:05.123456Z' },
    ];
    const all = 'MATCH (r:Reading) RETURN r.identifier, r.level, r.taken ORDER BY r.identifier';

    beforeAll(async () => {
      store = storeUnderTest();
      await store.create(ref, { nodes: [Reading], relationships: [] });
      const rows = [{ identifier: 'a', level: 0.1, taken: '2026-01-02T03:04:05.123456499+02:00' }];
      await store.load(ref, Reading, { kind: 'rows', batches: batches(rows) }, loading);
      await store.promote(ref);
    });
    // Servers have few databases.
    afterAll(() => store.drop(ref));

    it('lose them when rows are loaded: FLOAT has 32 bits, and TIMESTAMP has microseconds (graphs 21.4)', async () => {
      expect(await ask(store, ref, all)).toEqual([stored('a')]);
    });

    it('lose them when a statement writes them (graphs 21.4)', async () => {
      const text =
        "CREATE (:Reading {identifier: 'b', level: 0.1, taken: timestamp('2026-01-02T03:04:05.123456499+02:00')})";
      await (await store.write(ref, text, {}, running())).cancel();
      expect(await ask(store, ref, all)).toEqual([stored('a'), stored('b')]);
    });
  });
}
