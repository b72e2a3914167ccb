import { invalidInput, sql, type Transaction } from '@pacioli/core';
import { plusMonths } from '../values/index.ts';

/**
 * Throws when drafts lie in months that a new calendar begins with as closed: nothing would ever post them (ledger L-14).
 * Reads the index of drafts alone.
 */
export async function requireNoDraftsUpTo(tx: Transaction, closedThrough: string): Promise<void> {
  const [found] = await tx.query(sql<{ drafts: number; first: string | null; last: string | null }>`
    SELECT count(*) AS drafts, min(posting_date)::text AS first, max(posting_date)::text AS last FROM ledger_entry
    WHERE graph_id = ${tx.graphId} AND status = 'draft' AND posting_date < (${plusMonths(closedThrough, 1)} || '-01')::date`);
  if (found === undefined || found.drafts === 0) return;
  throw invalidInput(
    `closed_through: ${found.drafts} draft(s) from ${found.first} to ${found.last} lie in months that would be closed, and nothing would post them. ` +
      'Move or delete them first, or name an earlier month and close the months after it.',
  );
}
