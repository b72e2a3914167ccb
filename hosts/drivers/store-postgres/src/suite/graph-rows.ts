import type { MigrationSet, TableDeclarations } from '@pacioli/core/ports';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreDriver, TestStore } from '../testing.ts';
import { ofGraph, ofKernel, withMigrations } from './tables.ts';

const tables = `
CREATE TABLE books_entry (graph_id text NOT NULL, id integer NOT NULL, PRIMARY KEY (graph_id, id));
${ofGraph('books_entry')}
CREATE TABLE books_line (graph_id text NOT NULL, id integer NOT NULL, PRIMARY KEY (graph_id, id),
  FOREIGN KEY (graph_id, id) REFERENCES books_entry (graph_id, id));
${ofGraph('books_line')}
CREATE TABLE books_log (graph_id text NOT NULL, id integer GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (graph_id, id));
${ofGraph('books_log')}
CREATE FUNCTION books_keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'posted'; END $$;
CREATE TRIGGER books_kept BEFORE DELETE ON books_entry FOR EACH ROW EXECUTE FUNCTION books_keep();
CREATE TABLE books_price (id integer PRIMARY KEY, graph_id text NOT NULL);
${ofKernel('books_price')}
`;
const declared: TableDeclarations = {
  tables: { books_log: { application: 'append' }, books_price: { rows: 'kernel' } },
};
const manyRows = 25_000;

export function describeGraphRows(driver: StoreDriver): void {
  describe('rows of a removed graph', () => {
    let own: TestStore;
    let sets: readonly MigrationSet[];
    const signal = new AbortController().signal;
    const count = (graphId: string, table: string): Promise<number | undefined> =>
      own.store.transaction({ graphId }, async (tx) => {
        const rows = await tx.query(sql<{ rows: number }>`SELECT count(*)::integer AS rows FROM ${sql.table(table)}`);
        return rows[0]?.rows;
      });

    beforeAll(async () => {
      own = await driver.create();
      await withMigrations(
        'books',
        { '0001-books.sql': tables },
        async (set) => {
          sets = [set];
          await own.store.migrate(sets);
        },
        declared,
      );
      for (const graphId of ['kg1', 'kg2']) {
        await own.store.transaction({ graphId }, async (tx) => {
          await tx.query(sql`INSERT INTO books_entry SELECT ${graphId}, n FROM generate_series(1, ${manyRows}) AS n`);
          await tx.query(sql`INSERT INTO books_line VALUES (${graphId}, 1)`);
          await tx.query(sql`INSERT INTO books_log (graph_id) VALUES (${graphId})`);
        });
      }
      await own.store.transaction('kernel', (tx) => tx.query(sql`INSERT INTO books_price VALUES (1, 'kg1')`));
    });
    afterAll(() => own.dispose());

    it('stay while a signal stops the removal', async () => {
      await expect(own.store.removeGraph('kg1', sets, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
      expect(await count('kg1', 'books_entry')).toBe(manyRows);
    });

    it('are removed, also those that triggers, foreign keys and append-only tables keep, and no others', async () => {
      expect(await own.store.removeGraph('kg1', sets, signal)).toBe(manyRows + 2);
      for (const table of ['books_entry', 'books_line', 'books_log']) expect(await count('kg1', table)).toBe(0);
      expect(await count('kg2', 'books_entry')).toBe(manyRows);
      expect(await count('kg2', 'books_line')).toBe(1);
      const prices = await own.store.transaction('kernel', (tx) => tx.query(sql`SELECT id FROM books_price`));
      expect(prices).toEqual([{ id: 1 }]);
    });

    it('are no longer there when they are removed again', async () => {
      expect(await own.store.removeGraph('kg1', sets, signal)).toBe(0);
    });

    it('keep their triggers in transactions of other graphs afterwards', async () => {
      const remove = own.store.transaction({ graphId: 'kg2' }, (tx) => tx.query(sql`DELETE FROM books_entry`));
      await expect(remove).rejects.toThrow('posted');
    });

    it('are not looked for under an id that is none', async () => {
      await expect(own.store.removeGraph("kg1' OR true --", sets, signal)).rejects.toThrow('A graph id has');
    });
  });
}
