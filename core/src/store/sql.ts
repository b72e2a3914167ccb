import { type RawBuilder, sql } from 'kysely';

/** Exports the query builder: statements are written with `sql`, so that values are always parameters. */
export { type RawBuilder, sql };

/**
 * Passes texts as an SQL array whose length the planner cannot see. For statements that often run with few values: if
 * the planner sees the length, it replans each time, because few values look cheaper than the ten that a cached generic
 * plan assumes, and planning can take longer than execution.
 */
export function textList(values: readonly string[]): RawBuilder<readonly string[]> {
  return sql`array(select unnest(${[...values]}::text[]))`;
}
