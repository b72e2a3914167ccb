import { type RawBuilder, sql } from 'kysely';

/**
 * Lists columns of a table once, for the SQL and for the type of its rows. `npm run gen` writes the table's row type, so
 * a name that is not a column does not compile:
 *
 *     const listed = columnsOf<LedgerEntry>('e')('id', 'status');
 *     tx.query(sql<RowOf<typeof listed>>`SELECT ${listed} FROM ledger_entry AS e`);
 *
 * Two calls, because the compiler infers either all type arguments of a call or none.
 */
export function columnsOf<Row>(
  alias?: string,
): <const Name extends keyof Row & string>(...names: Name[]) => RawBuilder<Pick<Row, Name>> {
  const prefix = alias === undefined ? '' : `${alias}.`;
  // The alias and the names are literals of the program, never values.
  return (...names) => sql.raw(names.map((name) => `${prefix}${name}`).join(', '));
}

/** The rows of a statement that selects these columns. */
export type RowOf<Listed extends RawBuilder<unknown>> = Listed extends RawBuilder<infer Row> ? Row : never;
