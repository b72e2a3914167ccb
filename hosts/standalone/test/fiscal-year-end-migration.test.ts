/** @module-tag sessions */
import { sql } from '@pacioli/core';
import { migrationSets } from '@pacioli/core/assembly';
import ledger from '@pacioli/ledger';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import { describe, expect, it } from 'vitest';
import { migrateToEarlier } from './earlier-migrations.ts';

describe('fiscal year ends of earlier versions', () => {
  it('are converted to MM-DD in every graph, and unchanged if they have that format (graphs G-22)', async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    try {
      await migrateToEarlier(store, ledger, { before: '0012', without: [] });
      const ends = { kg1: '1231', kg2: '02-29', kg3: null } as const;
      for (const [graphId, end] of Object.entries(ends)) {
        await store.transaction({ graphId }, (tx) =>
          tx.query(sql`INSERT INTO ledger_entity (graph_id, id, name, fiscal_year_end, is_parent, created_at, updated_at)
            VALUES (${graphId}, 'ent_1', 'A', ${end}, true, now(), now())`),
        );
      }
      await store.migrate(migrationSets([ledger]));
      const kept = async (graphId: string) =>
        (
          await store.transaction({ graphId }, (tx) =>
            tx.query(sql<{ fiscal_year_end: string | null }>`SELECT fiscal_year_end FROM ledger_entity`),
          )
        ).map((row) => row.fiscal_year_end);
      expect([await kept('kg1'), await kept('kg2'), await kept('kg3')]).toEqual([['12-31'], ['02-29'], [null]]);
      expect(await kept('kg4')).toEqual([]);
    } finally {
      await dispose();
      await driver.stop();
    }
  });
});
