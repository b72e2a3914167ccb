import { type RawBuilder, sql } from 'kysely';

/** Lists columns under their own names, or under those that an object gives them. */
interface ColumnList<Row> {
  <const Name extends keyof Row & string>(...names: Name[]): RawBuilder<Pick<Row, Name>>;
  <const Names extends Readonly<Record<string, keyof Row & string>>>(
    renamed: Names,
  ): RawBuilder<{ readonly [Name in keyof Names]: Row[Names[Name]] }>;
}

/**
 * Lists columns of a table once, for the SQL and for the type of its rows. `npm run gen` writes the table's row type, so
 * a name that is not a column does not compile:
 *
 *     const listed = columnsOf<LedgerEntry>('e')('id', 'status');
 *     tx.query(sql<RowOf<typeof listed>>`SELECT ${listed} FROM ledger_entry AS e`);
 *
 * An object selects columns under other names: `columnsOf<LedgerEntry>('e')({ entryId: 'id' })` is `e.id AS "entryId"`.
 * Two calls, because the compiler infers either all type arguments of a call or none.
 */
export function columnsOf<Row>(alias?: string): ColumnList<Row> {
  const prefix = alias === undefined ? '' : `${alias}.`;
  // The alias and the names are literals of the program, never values. The signatures of the list have the rows' type.
  return (...listed: readonly (string | Readonly<Record<string, string>>)[]) =>
    sql.raw<never>(listed.flatMap((columns) => selected(prefix, columns)).join(', '));
}

function selected(prefix: string, columns: string | Readonly<Record<string, string>>): readonly string[] {
  if (typeof columns === 'string') return [`${prefix}${columns}`];
  return Object.entries(columns).map(([name, column]) =>
    name === column ? `${prefix}${column}` : `${prefix}${column} AS "${name}"`,
  );
}

/** The rows of a statement that selects these columns. */
export type RowOf<Listed extends RawBuilder<unknown>> = Listed extends RawBuilder<infer Row> ? Row : never;
