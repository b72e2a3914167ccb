import { type RawBuilder, sql, type Transaction } from '@pacioli/core';
import { writeConflict } from '../values/index.ts';

/**
 * Locks the events of an array of ids, and what they settle, in the order of their ids (ledger L-150): their changes
 * store the open amounts of both (ledger L-100c). Throws a write conflict when their settlements changed while the locks
 * were awaited; `subject` names the row in its message.
 */
export async function lockEvents(tx: Transaction, subject: string, ids: RawBuilder<unknown>): Promise<void> {
  const [row] = await tx.query(sql<{ readonly is_current: boolean }>`
    SELECT ledger_lock_events(${tx.graphId}, ${ids}) AS is_current`);
  if (row?.is_current !== true) throw writeConflict(subject);
}
