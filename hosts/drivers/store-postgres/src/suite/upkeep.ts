import type { TableDeclarations } from '@pacioli/core/ports';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreDriver, TestStore } from '../testing.ts';
import { ofKernel, withMigrations } from './tables.ts';

export function describeUpkeep(driver: StoreDriver): void {
  describe('upkeep', () => {
    let own: TestStore;
    beforeAll(async () => {
      own = await driver.create();
      // Autovacuum is off so that only the driver's own upkeep can gather statistics.
      const growing = `CREATE TABLE suite_growing (id integer PRIMARY KEY, text text) WITH (autovacuum_enabled = off);
        ${ofKernel('suite_growing')}`;
      const tables: TableDeclarations = { tables: { suite_growing: { rows: 'kernel' } } };
      await withMigrations('suite', { '0001-growing.sql': growing }, (set) => own.store.migrate([set]), tables);
    });
    afterAll(() => own.dispose());

    const tuples = async (): Promise<number | undefined> => {
      const [row] = await own.store.transaction('kernel', (tx) =>
        tx.query(
          sql<{ tuples: number }>`SELECT reltuples::int AS tuples FROM pg_class WHERE relname = 'suite_growing'`,
        ),
      );
      return row?.tuples;
    };
    let rows = 0;
    const insert = () =>
      own.store.transaction('kernel', (tx) => tx.query(sql`INSERT INTO suite_growing VALUES (${rows++}, 'text')`));

    it('gathers statistics for a table that grows by many small transactions', async () => {
      expect(await tuples()).toBeLessThanOrEqual(0);
      // A server updates its counters with a delay of up to a second; each check comes with a later commit.
      const growing = async () => {
        await insert();
        return tuples();
      };
      await expect.poll(growing, { timeout: 300_000, interval: 1 }).toBeGreaterThan(60);
    });

    it('gathers statistics after a long transaction', async () => {
      const before = (await tuples()) ?? 0;
      const grow = () =>
        own.store.transaction('kernel', async (tx) => {
          await tx.query(sql`INSERT INTO suite_growing SELECT generate_series(${rows}::integer, ${rows + 999})`);
          await tx.query(sql`SELECT pg_sleep(1.1)`);
        });
      const growing = async () => {
        await grow();
        rows += 1_000;
        return tuples();
      };
      await expect.poll(growing, { timeout: 300_000, interval: 1 }).toBeGreaterThan(before + 900);
    });
  });
}
