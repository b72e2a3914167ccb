import { defineNode, sql } from '@pacioli/core';

const rowsPerBatch = 5_000;

export const ReminderNode = defineNode('Reminder', {
  extension: 'reminders',
  properties: { body: 'STRING', due_date: 'DATE' },
  rows: ({ tx }) =>
    tx.stream(
      sql<{ identifier: string; body: string; due_date: string | null }>`
        SELECT id AS identifier, body, due_date::text AS due_date FROM reminders_reminder ORDER BY id`,
      rowsPerBatch,
    ),
});
