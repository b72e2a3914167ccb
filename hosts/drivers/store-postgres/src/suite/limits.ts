import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreDriver, TestStore } from '../testing.ts';
import { createSuiteTables } from './tables.ts';

const scope = { graphId: 'kg1' };
const endless = sql`SELECT count(*) FROM generate_series(1, 1000000000000)`;

export function describeLimits(driver: StoreDriver): void {
  describe('limits', () => {
    let own: TestStore;
    beforeAll(async () => {
      own = await driver.create({ maxLockMs: 100 });
      await createSuiteTables(own.store);
    });
    afterAll(() => own.dispose());

    it('stops a statement at the limit of its transaction, and lets other transactions continue (platform E-9)', async () => {
      const insert = (id: number) => sql`INSERT INTO suite_row (graph_id, id) VALUES ('kg1', ${id})`;
      await own.store.transaction(scope, (tx) => tx.query(insert(1)));
      const stopped = own.store.transaction(
        scope,
        async (tx) => {
          await tx.query(insert(2));
          await tx.query(endless);
        },
        { maxStatementMs: 200 },
      );
      const others = [3, 4, 5].map((id) => own.store.transaction(scope, (tx) => tx.query(insert(id))));
      await expect(stopped).rejects.toMatchObject({ name: 'StoreError', code: 'statement-timeout' });
      await Promise.all(others);
      const rows = await own.store.transaction(scope, (tx) => tx.query(sql`SELECT id FROM suite_row ORDER BY id`));
      expect(rows).toEqual([{ id: 1 }, { id: 3 }, { id: 4 }, { id: 5 }]);
    });

    it('stops the last statement at the limit of its transaction, and commits nothing', async () => {
      const stopped = own.store.transaction(
        scope,
        async (tx) => {
          await tx.query(sql`INSERT INTO suite_row (graph_id, id) VALUES ('kg1', 90)`);
          tx.queryAtEnd(endless);
        },
        { maxStatementMs: 200 },
      );
      await expect(stopped).rejects.toMatchObject({ name: 'StoreError', code: 'statement-timeout' });
      const rows = await own.store.transaction(scope, (tx) => tx.query(sql`SELECT id FROM suite_row WHERE id = 90`));
      expect(rows).toEqual([]);
    });

    it('stops a statement at the limit of the store', async () => {
      const second = await driver.create({ maxStatementMs: 2_000 });
      try {
        await createSuiteTables(second.store);
        const stopped = second.store.transaction('kernel', (tx) => tx.query(endless));
        await expect(stopped).rejects.toMatchObject({ code: 'statement-timeout' });
      } finally {
        await second.dispose();
      }
    });

    it.each([0, -5, 1.5, 3_600_001])('rejects a limit of %d milliseconds', async (maxStatementMs) => {
      const attempt = own.store.transaction(scope, (tx) => tx.query(sql`SELECT 1`), {
        maxStatementMs,
      });
      await expect(attempt).rejects.toThrow('A statement may take between 1 and');
    });

    const isSecondHeldBack = driver.hasManySessions
      ? 'stops waiting for a row that another transaction has locked'
      : 'starts a transaction only when the previous one has ended';
    it(isSecondHeldBack, async () => {
      const touch = sql`UPDATE suite_row SET amount_cents = amount_cents + 1 WHERE id = 1`;
      const order: string[] = [];
      let second: Promise<unknown> = Promise.resolve();
      await own.store.transaction(scope, async (tx) => {
        await tx.query(touch);
        second = own.store.transaction(scope, async (other) => {
          order.push('second');
          await other.query(touch);
        });
        if (driver.hasManySessions) await expect(second).rejects.toMatchObject({ code: 'lock-timeout' });
        order.push('first');
      });
      if (!driver.hasManySessions) await second;
      expect(order).toEqual(driver.hasManySessions ? ['second', 'first'] : ['first', 'second']);
    });
  });
}
