import type { MigrationSet, TableDeclarations } from '@pacioli/core/ports';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StoreDriver, TestStore } from '../testing.ts';
import { ofKernel, withMigrations } from './tables.ts';

const first = {
  '0001-first.sql': `CREATE TABLE a_one (id integer); INSERT INTO a_one VALUES (1); ${ofKernel('a_one')}`,
};
// Row-level security is forced on the owner too, so the owner must set the scope of the rows before it reads them.
const copy = `SELECT set_config('pacioli.scope', 'kernel', true); INSERT INTO a_two SELECT id FROM a_one;`;
const second = { '0002-second.sql': `CREATE TABLE a_two (id integer); ${copy} ${ofKernel('a_two')}` };
const ofNoGraph: TableDeclarations = { tables: { '*': { rows: 'kernel' } } };

export function describeMigrations(driver: StoreDriver): void {
  describe('migrations', () => {
    let own: TestStore;
    beforeEach(async () => {
      own = await driver.create();
    });
    afterEach(() => own.dispose());

    const migrate = (files: Readonly<Record<string, string>>, owner = 'a') =>
      withMigrations(owner, files, (set) => own.store.migrate([set]), ofNoGraph);
    const pending = (files: Readonly<Record<string, string>>) =>
      withMigrations('a', files, (set) => own.store.pendingMigrations([set]), ofNoGraph);

    it('runs each file once, in order, and lets parts use the tables', async () => {
      expect(await pending({ ...second, ...first })).toHaveLength(2);
      expect(await migrate(first)).toEqual([{ owner: 'a', name: '0001-first.sql' }]);
      expect(await pending({ ...second, ...first })).toEqual([{ owner: 'a', name: '0002-second.sql' }]);
      expect(await migrate({ ...second, ...first })).toEqual([{ owner: 'a', name: '0002-second.sql' }]);
      expect(await migrate({ ...first, ...second })).toEqual([]);
      expect(await own.store.transaction('kernel', (tx) => tx.query(sql`SELECT id FROM a_two`))).toEqual([{ id: 1 }]);
    });

    it('runs sets in the given order', async () => {
      const applied = await withMigrations('b', { '0001-nothing.sql': 'SELECT 1;' }, (one) =>
        withMigrations('a', first, (two) => own.store.migrate([one, { ...two, ...ofNoGraph }])),
      );
      expect(applied.map(({ owner }) => owner)).toEqual(['b', 'a']);
    });

    it('runs each file once when several processes start at the same time', async () => {
      const stores = [own.store, (await own.openSecond?.()) ?? own.store];
      const migrateAll = (set: MigrationSet) => Promise.all(stores.map((store) => store.migrate([set])));
      const applied = await withMigrations('a', { ...first, ...second }, migrateAll, ofNoGraph);
      expect(applied.flat()).toHaveLength(2);
      if (stores[1] !== own.store) await stores[1]?.close();
    });

    it('rejects a file that was edited after it ran', async () => {
      await migrate(first);
      const edited = { '0001-first.sql': `${first['0001-first.sql']} ` };
      await expect(migrate(edited)).rejects.toMatchObject({
        code: 'migration',
        message: expect.stringMatching(/was edited/),
      });
      await expect(pending(edited)).rejects.toMatchObject({ code: 'migration' });
    });

    it('does not treat different line ends as an edit', async () => {
      await migrate({ '0001-first.sql': 'SELECT 1,\n  2;\n' });
      expect(await migrate({ '0001-first.sql': 'SELECT 1,\r\n  2;\r\n' })).toEqual([]);
    });

    it('rejects code that is older than the database', async () => {
      await migrate({ ...first, ...second });
      await expect(migrate(first)).rejects.toMatchObject({
        code: 'migration',
        message: expect.stringMatching(/ahead of the code/),
      });
    });

    it('ignores tables of plugins that are not in this deployment', async () => {
      await migrate(first);
      const other = { '0001-other.sql': `CREATE TABLE b_one (id integer); ${ofKernel('b_one')}` };
      expect(await migrate(other, 'b')).toHaveLength(1);
    });

    it('rejects a file that comes before one that has run', async () => {
      await migrate({ '0002-second.sql': 'SELECT 1;' });
      const late = { '0001-first.sql': 'SELECT 1;', '0002-second.sql': 'SELECT 1;' };
      await expect(migrate(late)).rejects.toMatchObject({
        code: 'migration',
        message: expect.stringMatching(/comes before/),
      });
    });

    it('keeps the files before a failing one, and rolls the failing one back', async () => {
      const broken = { '0002-broken.sql': 'CREATE TABLE a_two (id integer); SELECT nothing FROM nowhere;' };
      await expect(migrate({ ...first, ...broken })).rejects.toMatchObject({
        code: 'migration',
        message: expect.stringMatching(/0002-broken/),
      });
      expect(await migrate({ ...first, ...second })).toEqual([{ owner: 'a', name: '0002-second.sql' }]);
    });

    it.each([
      ['a file name without a number', { 'first.sql': 'SELECT 1;' }, /Rename migration/],
      ['two files with one number', { '0001-a.sql': 'SELECT 1;', '0001-b.sql': 'SELECT 1;' }, /have the number 0001/],
    ])('rejects %s', async (_what, files, message) => {
      await expect(migrate(files)).rejects.toMatchObject({
        code: 'migration',
        message: expect.stringMatching(message),
      });
    });

    it('rejects two sets of one owner, and a folder that does not exist', async () => {
      const twice = withMigrations('a', first, (set) => own.store.migrate([set, set]));
      await expect(twice).rejects.toMatchObject({ code: 'migration', message: expect.stringMatching(/Two sets/) });
      const missing = own.store.migrate([{ owner: 'a', folder: new URL('file:///no-such-folder/') }]);
      await expect(missing).rejects.toMatchObject({
        code: 'migration',
        message: expect.stringMatching(/cannot be read/),
      });
    });

    it('denies parts access to the migration record', async () => {
      await migrate(first);
      const attempt = own.store.transaction('kernel', (tx) => tx.query(sql`DELETE FROM kernel_migration`));
      await expect(attempt).rejects.toMatchObject({ code: '42501' });
    });
  });
}
