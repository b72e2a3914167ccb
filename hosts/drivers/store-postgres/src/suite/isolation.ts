import type { TableDeclarations } from '@pacioli/core/ports';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StoreDriver, TestStore } from '../testing.ts';
import { isolated, leaks, neighbors, page, violations } from './isolation-cases.ts';
import { ofGraph, ofKernel, withMigrations } from './tables.ts';

export function describeIsolation(driver: StoreDriver): void {
  describe('table isolation', () => {
    let own: TestStore;
    const migrate = (text: string, declared: TableDeclarations = {}, owner = 'diary') =>
      withMigrations(owner, { '0001-pages.sql': text }, (set) => own.store.migrate([set]), declared);
    const refusal = (message: string) => ({ code: 'migration', message: expect.stringContaining(message) });

    describe('a single plugin', () => {
      beforeAll(async () => {
        own = await driver.create();
      });
      afterAll(() => own.dispose());

      it.each(leaks)('rejects %s, and rolls its migration back', async (_title, text, message) => {
        await expect(migrate(text)).rejects.toMatchObject(refusal(message));
        const there = sql`SELECT relname FROM pg_class WHERE relname LIKE 'diary%'`;
        expect(await own.store.transaction('kernel', (tx) => tx.query(there))).toEqual([]);
      });
    });

    describe('next to other plugins', () => {
      beforeAll(async () => {
        own = await driver.create();
        await migrate(neighbors.library, {}, 'library');
        await migrate(neighbors.kernel, { tables: { kernel_person: { rows: 'kernel' } } }, 'kernel');
      });
      afterAll(() => own.dispose());

      it.each(violations)('rejects a migration that %s', async (_title, text, message) => {
        await expect(migrate(text)).rejects.toMatchObject(refusal(message));
      });

      it('leaves the tables of the other plugins unchanged', async () => {
        const counts = sql`SELECT (SELECT count(*) FROM library_book)::int AS books, library_count()::int AS counted`;
        expect(await own.store.transaction({ graphId: 'kg1' }, (tx) => tx.query(counts))).toEqual([
          { books: 0, counted: 0 },
        ]);
        const people = sql`SELECT * FROM kernel_person`;
        expect(await own.store.transaction('kernel', (tx) => tx.query(people))).toEqual([]);
      });
    });

    describe('declared access', () => {
      beforeEach(async () => {
        own = await driver.create();
        return () => own.dispose();
      });
      const inGraph = (graphId: string, statement: ReturnType<typeof sql>) =>
        own.store.transaction({ graphId }, (tx) => tx.query(statement));

      it('lets a plugin complete its tables in a later migration, and rejects one that opens them', async () => {
        const files = { '0001-pages.sql': page, '0002-isolation.sql': ofGraph('diary_page') };
        expect(await withMigrations('diary', files, (set) => own.store.migrate([set]))).toHaveLength(2);
        const open = { ...files, '0003-open.sql': 'CREATE POLICY everything ON diary_page USING (true);' };
        const attempt = withMigrations('diary', open, (set) => own.store.migrate([set]));
        await expect(attempt).rejects.toMatchObject(refusal('Add to diary/0003-open.sql: DROP POLICY everything'));
      });

      it('shows rows to the declared scopes, and rejects other access', async () => {
        const kernelReads = `CREATE POLICY due ON diary_page FOR SELECT USING (id > 0 AND current_setting('pacioli.scope', true) = 'kernel');`;
        const shared = `CREATE POLICY shared ON diary_page FOR SELECT USING (graph_id = 'library');`;
        const currencies = `CREATE TABLE diary_currency (code text PRIMARY KEY); ${ofKernel('diary_currency')}
          CREATE POLICY all_read ON diary_currency FOR SELECT USING (true);`;
        await migrate(`${isolated} ${kernelReads} ${shared} ${currencies}`, {
          tables: {
            diary_page: { kernelScope: 'read', sharedGraph: 'library' },
            diary_currency: { rows: 'kernel', graphScope: 'read-all' },
          },
        });
        await own.store.transaction('kernel', (tx) => tx.query(sql`INSERT INTO diary_currency VALUES ('USD')`));
        await inGraph('library', sql`INSERT INTO diary_page VALUES ('library', 1)`);
        await inGraph('kg1', sql`INSERT INTO diary_page VALUES ('kg1', 1)`);
        expect(await inGraph('kg2', sql`SELECT graph_id, code FROM diary_page, diary_currency`)).toEqual([
          { graph_id: 'library', code: 'USD' },
        ]);
        const add = inGraph('kg2', sql`INSERT INTO diary_currency VALUES ('EUR')`);
        await expect(add).rejects.toMatchObject({ code: '42501' });
      });

      it('rejects a declaration without a table, and a policy that is wider than the declaration', async () => {
        const misspelled = migrate(isolated, { tables: { diary_pages: { kernelScope: 'read' } } });
        await expect(misspelled).rejects.toMatchObject(refusal('The declaration of diary_pages of the plugin diary'));
        const wide = `${isolated} CREATE POLICY due ON diary_page USING (current_setting('pacioli.scope', true) = 'kernel');`;
        const read = migrate(wide, { tables: { diary_page: { kernelScope: 'read' } } });
        await expect(read).rejects.toMatchObject(refusal(`declare tables: { diary_page: { kernelScope: 'write' } }`));
      });

      it('checks at every start, even without pending migrations, and names the fix', async () => {
        const wider: TableDeclarations = { tables: { diary_page: { kernelScope: 'write' } } };
        const open = `${isolated} CREATE POLICY due ON diary_page USING (current_setting('pacioli.scope', true) = 'kernel');`;
        await migrate(open, wider);
        const again = { '0001-pages.sql': open };
        const message = 'Add to a new migration of diary: DROP POLICY due ON diary_page;';
        await expect(withMigrations('diary', again, (set) => own.store.migrate([set]))).rejects.toMatchObject(
          refusal(message),
        );
        const ask = withMigrations('diary', again, (set) => own.store.pendingMigrations([set]));
        await expect(ask).rejects.toMatchObject(refusal(message));
        // Tables of a plugin outside of this deployment are not checked.
        expect(await withMigrations('other', {}, (set) => own.store.migrate([set]))).toEqual([]);
      });
    });
  });
}
