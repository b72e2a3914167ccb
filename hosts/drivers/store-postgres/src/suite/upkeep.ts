import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreDriver, TestStore } from '../testing.ts';

export function describeUpkeep(driver: StoreDriver): void {
  describe('upkeep', () => {
    let own: TestStore;
    let folder: string;
    beforeAll(async () => {
      own = await driver.create();
      folder = await mkdtemp(join(tmpdir(), 'pacioli-upkeep-'));
      // A server must not do it by itself here.
      await writeFile(
        join(folder, '0001-growing.sql'),
        'CREATE TABLE suite_growing (id integer PRIMARY KEY, text text) WITH (autovacuum_enabled = off);',
      );
      await own.store.migrate([{ owner: 'upkeep', folder: pathToFileURL(`${folder}/`) }]);
    });
    afterAll(async () => {
      await own.dispose();
      await rm(folder, { recursive: true });
    });

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

    it('tells the planner of a table that grows by many small transactions', async () => {
      expect(await tuples()).toBeLessThanOrEqual(0);
      // A server counts what was written with a delay of up to a second; each look comes with a later commit.
      const growing = async () => {
        await insert();
        return tuples();
      };
      await expect.poll(growing, { timeout: 60_000, interval: 1 }).toBeGreaterThan(60);
    });

    it('tells it after a long transaction too', async () => {
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
      await expect.poll(growing, { timeout: 60_000, interval: 1 }).toBeGreaterThan(before + 900);
    });
  });
}
