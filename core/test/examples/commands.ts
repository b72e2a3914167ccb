import { calendarDate, defineCommand, kernel, model, notFound } from '@pacioli/core';
import { Type } from 'typebox';
import { findReminders } from './store.ts';

const maxRows = 1_000;

/** `pacioli reminders-due kg1a2b --by 2026-03-31` */
export const remindersDue = defineCommand({
  name: 'reminders-due',
  summary: 'Prints the reminders of a graph that are due by a date. The exit code is 1 if there are any.',
  options: model('RemindersDueOptions', {
    graph: Type.String({ description: 'id of the graph' }),
    by: Type.Optional(calendarDate({ description: 'the last date; today by default' })),
  }),
  positional: ['graph'],
  services: { graphs: kernel.graphs },
  async run({ options, ctx, use }) {
    const graph = await ctx.store.transaction('kernel', (tx) => use.graphs.find(tx, options.graph));
    // Otherwise a wrong id would look like a graph without reminders.
    if (graph === undefined)
      throw notFound(`There is no graph '${options.graph}'. Give the id of one, such as kg1a2b.`);
    const by = options.by ?? ctx.now().toISOString().slice(0, 10);
    const rows = await ctx.store.transaction({ graphId: options.graph }, (tx) => findReminders(tx, maxRows));
    const due = rows.filter((row) => row.due_date !== null && row.due_date <= by);
    for (const { due_date: date, body } of due) ctx.print(`${date} ${body}`);
    return due.length > 0 ? 1 : 0;
  },
});
