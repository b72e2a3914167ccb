import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreDriver, TestStore } from '../testing.ts';
import { createSuiteTables } from './tables.ts';

export function describeTenancy(driver: StoreDriver): void {
  describe('tenancy', () => {
    let own: TestStore;
    beforeAll(async () => {
      own = await driver.create();
      await createSuiteTables(own.store);
      for (const graphId of ['kg1', 'kg2']) {
        await own.store.transaction({ graphId }, (tx) =>
          tx.query(sql`INSERT INTO suite_row (graph_id, id) VALUES (${graphId}, 1)`),
        );
      }
    });
    afterAll(() => own.dispose());

    it('shows a graph only its own rows, without any WHERE clause', async () => {
      for (const graphId of ['kg1', 'kg2']) {
        const rows = await own.store.transaction({ graphId }, (tx) => tx.query(sql`SELECT graph_id FROM suite_row`));
        expect(rows).toEqual([{ graph_id: graphId }]);
      }
    });

    it('rejects an insert into another graph, and finds no row of another graph to update or delete', async () => {
      const inGraph = { graphId: 'kg1' };
      const insert = sql`INSERT INTO suite_row (graph_id, id) VALUES ('kg2', 2)`;
      await expect(own.store.transaction(inGraph, (tx) => tx.query(insert))).rejects.toMatchObject({ code: '42501' });
      const move = sql`UPDATE suite_row SET graph_id = 'kg2', id = 3`;
      await expect(own.store.transaction(inGraph, (tx) => tx.query(move))).rejects.toMatchObject({ code: '42501' });
      const remove = sql`DELETE FROM suite_row WHERE graph_id = 'kg2' RETURNING id`;
      expect(await own.store.transaction(inGraph, (tx) => tx.query(remove))).toEqual([]);
    });

    it('hides kernel tables from a graph, and the rows of graphs from the kernel', async () => {
      const secrets = sql`SELECT id FROM suite_secret`;
      expect(await own.store.transaction({ graphId: 'kg1' }, (tx) => tx.query(secrets))).toEqual([]);
      expect(await own.store.transaction('kernel', (tx) => tx.query(secrets))).toEqual([{ id: 1 }]);
      expect(await own.store.transaction('kernel', (tx) => tx.query(sql`SELECT id FROM suite_row`))).toEqual([]);
    });

    it('does not carry a scope over to the next transaction of the same session', async () => {
      const rows = await own.store.transaction('kernel', (tx) =>
        tx.query(sql`SELECT current_setting('pacioli.graph_id') AS graph, current_setting('pacioli.scope') AS scope`),
      );
      expect(rows).toEqual([{ graph: '', scope: 'kernel' }]);
    });

    it('runs as a role without privileges that owns no table', async () => {
      const rows = await own.store.transaction('kernel', (tx) =>
        tx.query(sql`SELECT rolname, rolsuper, rolbypassrls, rolcanlogin,
          (SELECT count(*) FROM pg_class WHERE relowner = pg_roles.oid) AS tables
          FROM pg_roles WHERE rolname = current_user`),
      );
      const expected = { rolname: 'pacioli_app', rolsuper: false, rolbypassrls: false, rolcanlogin: false, tables: 0 };
      expect(rows).toEqual([expected]);
    });

    it.each([
      ['RESET ROLE', sql`RESET ROLE`],
      ['SET ROLE NONE', sql`/* a comment */ SET ROLE NONE`],
      ['SET SESSION AUTHORIZATION', sql`SET SESSION AUTHORIZATION DEFAULT`],
      ['set_config', sql`SELECT set_config('pacioli.graph_id', 'kg2', true)`],
      ['COMMIT', sql`COMMIT`],
      ['ROLLBACK', sql`ROLLBACK`],
      ['DO', sql`DO $$ BEGIN EXECUTE 'RESET ROLE'; END $$`],
      ['a second statement', sql`SELECT 1; RESET ROLE`],
    ])('rejects %s inside a transaction', async (_what, statement) => {
      const attempt = own.store.transaction({ graphId: 'kg1' }, (tx) => tx.query(statement));
      await expect(attempt).rejects.toThrow(/belongs? to the store|multiple commands/);
      const rows = await own.store.transaction({ graphId: 'kg1' }, (tx) =>
        tx.query(sql`SELECT current_user AS role, (SELECT count(*) FROM suite_row) AS visible`),
      );
      expect(rows).toEqual([{ role: 'pacioli_app', visible: 1 }]);
    });

    it('rejects statements that alter tables or disable row-level security', async () => {
      for (const statement of [
        sql`ALTER TABLE suite_row DISABLE ROW LEVEL SECURITY`,
        sql`DROP TABLE suite_row`,
        sql`CREATE TABLE suite_other (id integer)`,
      ]) {
        const attempt = own.store.transaction('kernel', (tx) => tx.query(statement));
        await expect(attempt).rejects.toThrow('belongs to the store');
      }
    });

    it.each(['', "x'; RESET ROLE; --", 'a-b', 'x'.repeat(65)])('rejects the graph id %j', async (graphId) => {
      const attempt = own.store.transaction({ graphId }, (tx) => tx.query(sql`SELECT 1`));
      await expect(attempt).rejects.toThrow('A graph id has 1 to 64');
    });

    it('accepts a graph id of 64 characters', async () => {
      const graphId = 'x'.repeat(64);
      const rows = await own.store.transaction({ graphId }, (tx) =>
        tx.query(sql`SELECT current_setting('pacioli.graph_id') AS graph`),
      );
      expect(rows).toEqual([{ graph: graphId }]);
    });
  });
}
