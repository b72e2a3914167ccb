import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreDriver, TestStore } from '../testing.ts';
import { createSuiteTables, type SuiteTables } from './tables.ts';

const scope = { graphId: 'kg1' };

export function describeTransactions(driver: StoreDriver): void {
  describe('transactions', () => {
    let own: TestStore;
    beforeAll(async () => {
      own = await driver.create();
      await createSuiteTables(own.store);
    });
    afterAll(() => own.dispose());

    const insert = (id: number) => sql`INSERT INTO suite_row (graph_id, id) VALUES ('kg1', ${id})`;
    const hasRow = async (id: number): Promise<boolean> => {
      const rows = await own.store.transaction(scope, (tx) => tx.query(sql`SELECT id FROM suite_row WHERE id = ${id}`));
      return rows.length === 1;
    };

    it('names the graph of its scope, and throws in the scope of the kernel', async () => {
      const named = await own.store.transaction({ graphId: 'kg1' }, async (tx) => tx.graphId);
      expect(named).toBe('kg1');
      await expect(own.store.transaction('kernel', async (tx) => tx.graphId)).rejects.toThrow(
        'Open it with { graphId }',
      );
    });

    it('commits when the work resolves, and returns its result', async () => {
      const result = await own.store.transaction(scope, async (tx) => {
        await tx.query(insert(1));
        return 'done';
      });
      expect(result).toBe('done');
      expect(await hasRow(1)).toBe(true);
    });

    it('rolls back when the work throws, and throws the same error', async () => {
      const error = new Error('stop');
      const attempt = own.store.transaction(scope, async (tx) => {
        await tx.query(insert(2));
        throw error;
      });
      await expect(attempt).rejects.toBe(error);
      expect(await hasRow(2)).toBe(false);
    });

    it('does not report success when a failed statement was ignored', async () => {
      const attempt = own.store.transaction(scope, async (tx) => {
        await tx.query(insert(3));
        await tx.query(sql`SELECT 1 / 0`).catch(() => undefined);
      });
      await expect(attempt).rejects.toThrow('nothing was committed');
      expect(await hasRow(3)).toBe(false);
    });

    it('does not report success when a failed statement of a read was ignored', async () => {
      const attempt = own.store.transaction(scope, (tx) => tx.query(sql`SELECT 1 / 0`).catch(() => 'ignored'), {
        readOnly: true,
      });
      await expect(attempt).rejects.toThrow('nothing was committed');
    });

    it('continues after a failed statement when the work rolled back to a savepoint', async () => {
      await own.store.transaction(scope, async (tx) => {
        await tx.query(sql`SAVEPOINT before`);
        await tx.query(sql`SELECT 1 / 0`).catch(() => undefined);
        await tx.query(sql`ROLLBACK TO SAVEPOINT before`);
        await tx.query(insert(4));
      });
      expect(await hasRow(4)).toBe(true);
    });

    it('rejects writes in a read-only transaction', async () => {
      const attempt = own.store.transaction(scope, (tx) => tx.query(insert(5)), { readOnly: true });
      await expect(attempt).rejects.toThrow('read-only');
      expect(await hasRow(5)).toBe(false);
    });

    it('rejects a statement after the end of its transaction', async () => {
      const kept = await own.store.transaction(scope, async (tx) => ({ tx, tables: tx.tables<SuiteTables>() }));
      await expect(kept.tx.query(sql`SELECT 1`)).rejects.toThrow('has ended');
      await expect(kept.tables.selectFrom('suite_row').select('id').execute()).rejects.toThrow('has ended');
    });

    it('runs statements in call order, even when they are not awaited', async () => {
      await own.store.transaction(scope, async (tx) => {
        void tx.query(insert(10));
        await Promise.all([tx.query(sql`UPDATE suite_row SET id = 11 WHERE id = 10`), tx.query(sql`SELECT 1`)]);
        void tx.query(sql`UPDATE suite_row SET id = 12 WHERE id = 11`);
      });
      expect(await hasRow(12)).toBe(true);
    });

    it('rejects statements that were submitted with a failing one, for its reason, and commits none of them', async () => {
      const answers: string[] = [];
      const attempt = own.store.transaction(scope, async (tx) => {
        const given = [insert(13), sql`SELECT 1 / 0`, insert(14)].map((statement) => tx.query(statement));
        for (const answer of await Promise.allSettled(given))
          answers.push(answer.status === 'fulfilled' ? 'fulfilled' : String(answer.reason));
      });
      await expect(attempt).rejects.toThrow('nothing was committed');
      const reason = expect.stringContaining('division by zero');
      expect(answers).toEqual(['fulfilled', reason, reason]);
      expect([await hasRow(13), await hasRow(14)]).toEqual([false, false]);
    });

    it('runs the last statement with the commit, after all others', async () => {
      await own.store.transaction(scope, async (tx) => {
        await tx.query(insert(20));
        tx.queryAtEnd(sql`UPDATE suite_row SET id = id + 1 WHERE id BETWEEN 20 AND 29`);
      });
      expect([await hasRow(20), await hasRow(21)]).toEqual([false, true]);
      await own.store.transaction(scope, async (tx) => tx.queryAtEnd(insert(22)));
      expect(await hasRow(22)).toBe(true);
    });

    it('commits nothing when the last statement fails, reports the reason, and keeps the session', async () => {
      const attempt = own.store.transaction(scope, async (tx) => {
        await tx.query(insert(23));
        tx.queryAtEnd(insert(23));
      });
      await expect(attempt).rejects.toMatchObject({ code: 'unique', constraint: 'suite_row_pkey' });
      expect(await hasRow(23)).toBe(false);
      // Repeated so that the failing statement is one that the session has prepared.
      await own.store.transaction(scope, async (tx) => tx.queryAtEnd(insert(23)));
      expect(await hasRow(23)).toBe(true);
    });

    it('does not run the last statement when the work throws', async () => {
      const attempt = own.store.transaction(scope, async (tx) => {
        tx.queryAtEnd(insert(24));
        throw new Error('stop');
      });
      await expect(attempt).rejects.toThrow('stop');
      expect(await hasRow(24)).toBe(false);
    });

    it('rejects an unsupported value of the last statement, and commits nothing', async () => {
      const attempt = own.store.transaction(scope, async (tx) => {
        await tx.query(insert(27));
        tx.queryAtEnd(sql`UPDATE suite_row SET amount_cents = ${{ toPostgres: () => assert.fail('no value') }}`);
      });
      await expect(attempt).rejects.toThrow('The last statement takes texts');
      expect(await hasRow(27)).toBe(false);
    });

    it('rejects a statement after the last one', async () => {
      const attempt = own.store.transaction(scope, async (tx) => {
        tx.queryAtEnd(insert(25));
        await tx.query(sql`SELECT 1`);
      });
      await expect(attempt).rejects.toThrow('last statement');
      const twice = own.store.transaction(scope, async (tx) => {
        tx.queryAtEnd(insert(25));
        tx.queryAtEnd(insert(26));
      });
      await expect(twice).rejects.toThrow('one last statement');
      expect([await hasRow(25), await hasRow(26)]).toEqual([false, false]);
    });

    it('runs statements that were submitted before the last one and awaited after it', async () => {
      await own.store.transaction(scope, async (tx) => {
        const given = [insert(28), insert(29)].map((statement) => tx.query(statement));
        tx.queryAtEnd(insert(30));
        await Promise.all(given);
      });
      expect([await hasRow(28), await hasRow(29), await hasRow(30)]).toEqual([true, true, true]);
    });

    it('reports a failure of the first statement, which is sent with BEGIN, and keeps the session', async () => {
      for (let turn = 0; turn < 3; turn++) {
        const attempt = own.store.transaction(scope, (tx) => tx.query(sql`SELECT 1 / 0 AS turn`));
        await expect(attempt).rejects.toThrow('division by zero');
      }
      expect(await own.store.transaction(scope, (tx) => tx.query(sql`SELECT 1 AS one`))).toEqual([{ one: 1 }]);
    });

    it('accepts work without a statement', async () => {
      expect(await own.store.transaction(scope, async () => 'done')).toBe('done');
      expect(await hasRow(1)).toBe(true);
    });

    it('builds statements over declared tables in the same transaction', async () => {
      const rows = await own.store.transaction(scope, async (tx) => {
        const tables = tx.tables<SuiteTables>();
        await tables.insertInto('suite_row').values({ graph_id: 'kg1', id: 6, amount_cents: 70 }).execute();
        const { numUpdatedRows } = await tables
          .updateTable('suite_row')
          .set({ amount_cents: 80 })
          .where('id', '=', 6)
          .executeTakeFirstOrThrow();
        expect(numUpdatedRows).toBe(1n);
        return tx.query<{ amount_cents: number }>(sql`SELECT amount_cents FROM suite_row WHERE id = 6`);
      });
      expect(rows).toEqual([{ amount_cents: 80 }]);
    });

    it('rejects a transaction of the query builder inside a transaction of the store', async () => {
      const attempt = own.store.transaction(scope, (tx) =>
        tx
          .tables()
          .transaction()
          .execute(async () => undefined),
      );
      await expect(attempt).rejects.toThrow('inside a transaction');
    });

    it('loses no update when 16 transactions increment one row concurrently', async () => {
      await own.store.transaction(scope, (tx) => tx.query(insert(7)));
      const add = sql`UPDATE suite_row SET amount_cents = amount_cents + 1 WHERE id = 7`;
      await Promise.all(Array.from({ length: 16 }, () => own.store.transaction(scope, (tx) => tx.query(add))));
      const rows = await own.store.transaction(scope, (tx) =>
        tx.query(sql`SELECT amount_cents FROM suite_row WHERE id = 7`),
      );
      expect(rows).toEqual([{ amount_cents: 16 }]);
    });

    it.each([
      ['unique', 'suite_row_pkey', sql`INSERT INTO suite_row (graph_id, id) VALUES ('kg1', 8), ('kg1', 8)`],
      [
        'check',
        'suite_row_not_negative',
        sql`INSERT INTO suite_row (graph_id, id, amount_cents) VALUES ('kg1', 9, -1)`,
      ],
      [
        'foreign-key',
        'suite_row_parent_id_fkey',
        sql`INSERT INTO suite_row (graph_id, id, parent_id) VALUES ('kg1', 9, 2)`,
      ],
    ])('reports a rejected row as %s with its constraint', async (code, constraint, statement) => {
      const attempt = own.store.transaction(scope, (tx) => tx.query(statement));
      await expect(attempt).rejects.toMatchObject({ name: 'StoreError', code, constraint });
    });

    it('reports the database as reachable, and as unreachable after it was closed', async () => {
      const second = await driver.create();
      expect(await second.store.health()).toMatchObject({ reachable: true, driver: second.store.driver });
      await second.store.close();
      expect(await second.store.health()).toMatchObject({ reachable: false });
      await second.dispose();
    });
  });
}
