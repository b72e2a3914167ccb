/** Exports the query builder: statements are written with `sql`, so that values are always parameters. */
export { type RawBuilder, sql } from 'kysely';
