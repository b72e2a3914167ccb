import { createToken, kernel, provide, type Transaction } from '@pacioli/core';
import { insertReminder } from './store.ts';

/** The service of reminders that other plugins may use. */
export interface Reminders {
  /** Adds a reminder and returns its id. */
  add(tx: Transaction, graphId: string, body: string, dueDate: string | null): Promise<string>;
}

export const reminders = createToken<Reminders>('reminders.reminders');

export const remindersProvider = provide(reminders, {
  services: { ids: kernel.ids },
  create: ({ ids }): Reminders => ({
    add: async (tx, graphId, body, dueDate) => {
      const id = ids.make('rem');
      await insertReminder(tx, graphId, { id, body, due_date: dueDate });
      return id;
    },
  }),
});
