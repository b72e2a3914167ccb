import { sql, type Transaction } from '@pacioli/core';
import type { Reminder } from './schemas.ts';

/** Values in the template become parameters. Adding a reminder again changes nothing. */
export async function insertReminder(
  tx: Transaction,
  graphId: string,
  { id, body, due_date }: Reminder,
): Promise<void> {
  await tx.query(sql`
    INSERT INTO reminders_reminder (graph_id, id, body, due_date)
    VALUES (${graphId}, ${id}, ${body}, ${due_date}::date) ON CONFLICT (graph_id, id) DO NOTHING`);
}

/** The policy of the table limits the rows to those of the graph. */
export async function findReminders(tx: Transaction, limit: number): Promise<readonly Reminder[]> {
  return tx.query(sql<Reminder>`
    SELECT id, body, due_date::text AS due_date FROM reminders_reminder ORDER BY due_date, id LIMIT ${limit}`);
}
