import type { AnalyticalRow, GenerationRef, GraphStore } from '@pacioli/core/ports';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, batches, build, Company, codeOf, company, loading, Owns, running, schema } from './graph-fixtures.ts';

/** The part of the suite for building generations beside the first one of a graph, and removing them. */
export function describeGenerations(storeUnderTest: () => GraphStore, ref: GenerationRef): void {
  describe('loads and generations', () => {
    let store: GraphStore;
    beforeAll(() => {
      store = storeUnderTest();
    });

    it('fails a load with duplicate keys, missing keys, dangling ends or invalid dates, and names them (graphs M-24)', async () => {
      const broken: GenerationRef = { graphId: ref.graphId, generation: 2 };
      await store.create(broken, schema);
      const nodes = [
        company('a'),
        company('a'),
        company('b', { founded: '2026-02-30' }),
        { ...company('c'), identifier: null },
      ];
      const load = store.load(broken, Company, { kind: 'rows', batches: batches(nodes) }, loading);
      await expect(load).rejects.toMatchObject({
        code: 'rejected-rows',
        rejects: [
          { reason: 'cast', count: 1, examples: ['b'] },
          { reason: 'duplicate', count: 1, examples: ['a'] },
          { reason: 'null_key', count: 1, examples: ['(no key)'] },
        ],
      });
      await store.load(broken, Company, { kind: 'rows', batches: batches([company('a')]) }, loading);
      const edges = store.load(
        broken,
        Owns,
        { kind: 'rows', batches: batches([{ from: 'a', to: 'nobody' }]) },
        loading,
      );
      await expect(edges).rejects.toMatchObject({
        rejects: [{ reason: 'dangling', count: 1, examples: ['a -> nobody'] }],
      });
      await store.drop(broken);
      expect(await store.exists(broken)).toBe(false);
    });

    it('leaves out rejected rows within the tolerance, and counts the loaded rows (graphs M-23, M-24)', async () => {
      const tolerant: GenerationRef = { graphId: ref.graphId, generation: 3 };
      await store.create(tolerant, schema);
      const rows = { kind: 'rows', batches: batches([company('a'), company('a', { name: 'second' })]) } as const;
      const report = await store.load(tolerant, Company, rows, { ...loading, maxRejects: 1 });
      expect(report).toMatchObject({ rows_in: 2, rows_loaded: 1, rejects: [{ reason: 'duplicate', count: 1 }] });
      await store.promote(tolerant);
      expect(await ask(store, tolerant, 'MATCH (c:Company) RETURN c.name')).toEqual([['Name a']]);
      expect(await store.generations(ref.graphId)).toEqual([1, 3]);
      await store.drop(tolerant);
      await store.drop(tolerant);
    });

    it('measures the generations of a graph, or says that it cannot (graphs L-4)', async () => {
      const sizes = await store.sizes(ref.graphId);
      expect(await store.sizes('kgnobody')).toEqual([]);
      const { size_bytes } = await store.stats(ref);
      if (store.capabilities.reportsSizes) {
        expect(sizes).toMatchObject([{ graphId: ref.graphId, generation: 1 }]);
        expect(sizes.every((size) => size.size_bytes > 0)).toBe(true);
        expect(size_bytes).toBeGreaterThan(0);
        expect((await store.sizes()).length).toBeGreaterThanOrEqual(sizes.length);
      } else {
        expect([sizes, await store.sizes(), size_bytes]).toEqual([[], [], null]);
      }
    });

    it('refuses to create a generation twice', async () => {
      expect(await codeOf(store.create(ref, schema))).toBe('database-exists');
    });

    it('keeps serving the active generation while the next one is loaded', async () => {
      const next: GenerationRef = { graphId: ref.graphId, generation: 4 };
      await store.create(next, schema);
      const stillThere: number[] = [];
      async function* slowly(): AsyncGenerator<readonly AnalyticalRow[]> {
        for (const id of ['n1', 'n2', 'n3']) {
          yield [company(id)];
          const [row] = await ask(store, ref, 'MATCH (c:Company) RETURN count(*) AS companies');
          stillThere.push(Number(row?.[0]));
        }
      }
      await store.load(next, Company, { kind: 'rows', batches: slowly() }, loading);
      await store.promote(next);
      expect(stillThere).toEqual([3, 3, 3]);
      expect(await ask(store, next, 'MATCH (c:Company) RETURN count(*) AS companies')).toEqual([[3]]);
      await store.drop(next);
    });

    it('lets a running read finish on a generation that is dropped during the read (graphs E-10)', async () => {
      const old: GenerationRef = { graphId: ref.graphId, generation: 5 };
      await build(store, old, batches([company('o1'), company('o2'), company('o3')]));
      const stream = await store.run(old, 'MATCH (c:Company) RETURN c.identifier', {}, running({ rowsPerChunk: 1 }));
      const rows = stream[Symbol.asyncIterator]();
      await rows.next();
      const dropped = store.drop(old);
      await expect.poll(() => store.exists(old)).toBe(false);
      expect(await codeOf(ask(store, old, 'RETURN 1 AS x'))).toBe('database-missing');
      expect((await rows.next()).value).toHaveLength(1);
      expect((await rows.next()).value).toHaveLength(1);
      expect((await rows.next()).done).toBe(true);
      await dropped;
      expect(await store.exists(old)).toBe(false);
    });
  });
}
