import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from '@pacioli/core';
import { storeDrivers } from '@pacioli/store-postgres/testing';
import { describe, expect, it } from 'vitest';

const migrations = new URL('../../../plugins/ledger/src/migrations/', import.meta.url);

describe('the end of the fiscal year of companies that were written before', () => {
  it('is brought to MM-DD in every graph, and left alone where it is (graphs G-22)', async () => {
    const driver = storeDrivers().at(-1);
    if (driver === undefined) throw new Error('There is no store driver to test with.');
    const { store, dispose } = await driver.create();
    const folder = await mkdtemp(join(tmpdir(), 'pacioli-year-ends-'));
    try {
      await cp(migrations, folder, { recursive: true });
      for (const file of await readdir(folder)) if (file >= '0013') await rm(join(folder, file));
      await store.migrate([{ owner: 'ledger', folder: pathToFileURL(`${folder}/`) }]);
      const ends = { kg1: '1231', kg2: '02-29', kg3: null } as const;
      for (const [graphId, end] of Object.entries(ends)) {
        await store.transaction({ graphId }, (tx) =>
          tx.query(sql`INSERT INTO ledger_entity (graph_id, id, name, fiscal_year_end, is_parent, created_at, updated_at)
            VALUES (${graphId}, 'ent_1', 'A', ${end}, true, now(), now())`),
        );
      }
      await store.migrate([{ owner: 'ledger', folder: migrations }]);
      const kept = async (graphId: string) =>
        (
          await store.transaction({ graphId }, (tx) =>
            tx.query(sql<{ fiscal_year_end: string | null }>`SELECT fiscal_year_end FROM ledger_entity`),
          )
        ).map((row) => row.fiscal_year_end);
      expect([await kept('kg1'), await kept('kg2'), await kept('kg3')]).toEqual([['12-31'], ['02-29'], [null]]);
      expect(await kept('kg4')).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
      await dispose();
      await driver.stop();
    }
  });
});
