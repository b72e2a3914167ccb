import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { columnsOf, type RowOf } from './columns.ts';

interface SampleRow {
  readonly id: string;
  readonly status: 'draft' | 'posted';
  readonly note: string | null;
}

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

describe('columnsOf', () => {
  it('lists the columns in their order, with the alias of the table if there is one', () => {
    const plain = columnsOf<SampleRow>()('id', 'note');
    const ofAlias = columnsOf<SampleRow>('s')('id', 'note');
    expect(sql`SELECT ${plain} FROM sample`.compile(compiler).sql).toBe('SELECT id, note FROM sample');
    expect(sql`SELECT ${ofAlias} FROM sample AS s`.compile(compiler).sql).toBe('SELECT s.id, s.note FROM sample AS s');
  });

  it('has the type of the rows that it selects, and rejects the name of no column', () => {
    const listed = columnsOf<SampleRow>()('id', 'status');
    expectTypeOf<RowOf<typeof listed>>().toEqualTypeOf<Pick<SampleRow, 'id' | 'status'>>();
    // @ts-expect-error SampleRow has no such column.
    columnsOf<SampleRow>()('id', 'state');
  });

  it('selects columns under the names that an object gives them', () => {
    const renamed = columnsOf<SampleRow>('s')({ id: 'id', statusOfSample: 'status' });
    expect(sql`SELECT ${renamed} FROM sample AS s`.compile(compiler).sql).toBe(
      'SELECT s.id, s.status AS "statusOfSample" FROM sample AS s',
    );
    expectTypeOf<RowOf<typeof renamed>>().toEqualTypeOf<{
      readonly id: string;
      readonly statusOfSample: 'draft' | 'posted';
    }>();
    // @ts-expect-error SampleRow has no such column.
    columnsOf<SampleRow>('s')({ statusOfSample: 'state' });
  });
});
