import { defineField, sql, textList } from '@pacioli/core';
import { Type } from 'typebox';

interface Overlap {
  readonly id: string;
  readonly count: number;
}

/** One statement for all reminders of a response. A field on a type of another plugin also needs `dependsOn`. */
export const overlaps = defineField({
  on: 'Reminder',
  name: 'overlaps',
  summary: 'The number of other reminders of the same date.',
  returns: Type.Integer(),
  async resolve({ parents, ctx }) {
    const ids = parents.map(({ id }) => id);
    const rows = await ctx.tx.query(sql<Overlap>`
      SELECT r.id, count(*)::int AS count FROM reminders_reminder r JOIN reminders_reminder o USING (due_date)
      WHERE r.id = ANY(${textList(ids)}) AND o.id <> r.id GROUP BY r.id`);
    const counts = new Map(rows.map(({ id, count }) => [id, count]));
    return ids.map((id) => counts.get(id) ?? 0);
  },
});
