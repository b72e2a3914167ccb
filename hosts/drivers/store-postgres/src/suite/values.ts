import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreDriver, TestStore } from '../testing.ts';
import { createSuiteTables } from './tables.ts';

const scope = { graphId: 'kg1' };

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

export function describeValues(driver: StoreDriver): void {
  describe('values', () => {
    let own: TestStore;
    beforeAll(async () => {
      own = await driver.create();
      await createSuiteTables(own.store);
    });
    afterAll(() => own.dispose());

    const one = async (statement: ReturnType<typeof sql>): Promise<unknown> =>
      (await own.store.transaction(scope, (tx) => tx.query(statement)))[0];

    it('returns every type as the port specifies', async () => {
      const at = new Date('2026-03-29T01:30:00.123Z');
      const row = await one(sql`
        INSERT INTO suite_row (graph_id, id, amount_cents, day, rate, at, payload, labels)
        VALUES ('kg1', 1, ${123456789012345n}, ${'2026-02-28'}, ${'0.1000'}, ${at}, ${{ a: [1, null], b: 'ö' }},
          ${['x', 'y "z"']})
        RETURNING amount_cents, day, rate, at, payload, labels`);
      expect(row).toEqual({
        amount_cents: 123456789012345,
        day: '2026-02-28',
        rate: '0.1000',
        at,
        payload: { a: [1, null], b: 'ö' },
        labels: ['x', 'y "z"'],
      });
    });

    it('returns arrays of integers, decimals and dates like single values', async () => {
      const row = await one(sql`SELECT ARRAY[1, NULL]::bigint[] AS whole, ARRAY[0.10]::numeric[] AS exact,
        ARRAY['2026-01-31']::date[] AS days, '2026-01-31 12:00'::timestamp AS local`);
      expect(row).toEqual({ whole: [1, null], exact: ['0.10'], days: ['2026-01-31'], local: '2026-01-31 12:00:00' });
    });

    it('accepts the largest safe integer and rejects the next one', async () => {
      expect(await one(sql`SELECT 9007199254740991::bigint AS n`)).toEqual({ n: Number.MAX_SAFE_INTEGER });
      expect(await one(sql`SELECT (-9007199254740991)::bigint AS n`)).toEqual({ n: Number.MIN_SAFE_INTEGER });
      await expect(one(sql`SELECT 9007199254740992::bigint AS n`)).rejects.toThrow('safe integers');
      await expect(one(sql`SELECT ARRAY[9007199254740993]::bigint[] AS n`)).rejects.toThrow('safe integers');
    });

    it('reads a large result in batches, and runs another statement between them', async () => {
      const sizes: number[] = [];
      await own.store.transaction(
        scope,
        async (tx) => {
          const all = sql<{ n: number }>`SELECT n FROM generate_series(1, ${2_500}::int) AS n ORDER BY n`;
          let expected = 1;
          for await (const batch of tx.stream(all, 1_000)) {
            for (const { n } of batch) expect(n).toBe(expected++);
            sizes.push(batch.length);
            await tx.query(sql`SELECT 1`);
          }
        },
        { readOnly: true },
      );
      expect(sizes).toEqual([1_000, 1_000, 500]);
    });

    it('keeps no batch of a large result in memory that its reader has dropped', async () => {
      const batches: WeakRef<object>[] = [];
      await own.store.transaction(scope, async (tx) => {
        for await (const batch of tx.stream(sql`SELECT generate_series(1, 50) AS n`, 10))
          batches.push(new WeakRef(batch));
        // A reference that was just read stays alive until the next turn of the event loop.
        await setImmediate();
        collectGarbage();
        expect(batches.slice(0, 4).filter((batch) => batch.deref() !== undefined)).toEqual([]);
        await tx.query(sql`SELECT 1`);
      });
      expect(batches).toHaveLength(5);
    });

    it('yields nothing for an empty result, and closes the cursor when the reader stops', async () => {
      await own.store.transaction(scope, async (tx) => {
        for await (const batch of tx.stream(sql`SELECT 1 WHERE false`, 10)) expect(batch).toBe('never');
        for await (const batch of tx.stream(sql`SELECT generate_series(1, 100) AS n`, 10)) {
          expect(batch).toHaveLength(10);
          break;
        }
        expect(await tx.query(sql`SELECT count(*) AS open FROM pg_cursors WHERE name LIKE 'pacioli%'`)).toEqual([
          { open: 0 },
        ]);
      });
    });

    it('reports the first error of a stream', async () => {
      const attempt = own.store.transaction(scope, async (tx) => {
        for await (const _ of tx.stream(sql`SELECT 1 / (3 - n) FROM generate_series(1, 5) AS n`, 1));
      });
      await expect(attempt).rejects.toMatchObject({ code: '22012' });
    });

    it.each([0, -1, 1.5, 50_001])('rejects batches of %d rows', async (rowsPerBatch) => {
      const attempt = own.store.transaction(scope, async (tx) => {
        for await (const _ of tx.stream(sql`SELECT 1`, rowsPerBatch));
      });
      await expect(attempt).rejects.toThrow('A batch has between 1 and');
    });
  });
}
