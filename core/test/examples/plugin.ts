import { definePlugin } from '@pacioli/core';
import { ReminderNode } from './analytical.ts';
import { clearReminders } from './audit.ts';
import { remindersDue } from './commands.ts';
import { draftPrice, price } from './credits.ts';
import { addReminder, remindersQuery } from './definitions.ts';
import { welcome } from './events-and-runs.ts';
import { overlaps } from './fields.ts';
import { graphTitleProvider } from './graphs-and-people.ts';
import { reminderCalls } from './limits.ts';
import { page } from './pages.ts';
import { remindersProvider } from './services.ts';
import { reminderTools } from './tools.ts';

/** The examples of `core/README.md` as one plugin. */
export default definePlugin({
  name: 'reminders',
  title: 'Reminders',
  version: '0.1.0',
  kernel: '^0.1.0',
  domain: 'reminders',
  migrations: new URL('./migrations/', import.meta.url),
  providers: [remindersProvider, graphTitleProvider],
  contributions: [price, reminderCalls, page],
  operations: [addReminder],
  queries: [remindersQuery, draftPrice],
  fields: [overlaps],
  routes: [clearReminders, reminderTools],
  jobs: [welcome],
  commands: [remindersDue],
  nodes: [ReminderNode],
});
