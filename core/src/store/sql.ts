/** Exports the query builder: statements are written with `sql`, so that values are always parameters. */
export { type Kysely, type RawBuilder, sql } from 'kysely';
