import { type RawBuilder, sql } from './sql.ts';

/**
 * Texts as an array of SQL whose length the planner does not see. For a statement that is run again and again with few
 * values: where it sees the length it plans anew each time, because few values look cheaper than the ten that a kept
 * plan reckons with, and planning can take longer than the statement.
 */
export function textList(values: readonly string[]): RawBuilder<readonly string[]> {
  return sql`array(select unnest(${[...values]}::text[]))`;
}
