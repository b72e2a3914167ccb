import { calendarDate, defineOperation, defineQuery, model } from '@pacioli/core';
import { Type } from 'typebox';
import { alreadyOver } from './errors.ts';
import { reminder } from './schemas.ts';
import { reminders } from './services.ts';
import { findReminders } from './store.ts';

export const addReminder = defineOperation({
  name: 'add-reminder',
  summary: 'Adds a reminder.',
  role: 'member',
  openapi: { id: 'add_reminder', tag: 'reminders' },
  mcp: { hint: 'Adds a reminder with an optional due date.' },
  input: model('AddReminderRequest', { body: reminder.properties.body, due_date: Type.Optional(calendarDate()) }),
  output: model('AddReminderResponse', { id: Type.String() }),
  services: { reminders },
  category: 'reminders',
  errors: { ALREADY_OVER: 'The date is in the past.' },
  async handle({ input, ctx, use }) {
    const dueDate = input.due_date ?? null;
    if (dueDate !== null && dueDate < ctx.now().toISOString().slice(0, 10)) throw alreadyOver(dueDate);
    return { id: await use.reminders.add(ctx.tx, ctx.graph.id, input.body, dueDate) };
  },
});

export const remindersQuery = defineQuery({
  name: 'reminders',
  summary: 'Lists the first 50 reminders, by date.',
  returns: Type.Array(reminder),
  resolve: async ({ ctx }) => [...(await findReminders(ctx.tx, 50))],
});
