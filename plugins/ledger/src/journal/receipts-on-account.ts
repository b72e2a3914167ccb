import { sql, type Transaction } from '@pacioli/core';
import type { PostedAccount } from '@pacioli/taxonomy';
import type { Line } from './lines.ts';

/** The receivable accounts that lines debit, each once. */
export function receivablesDebited(
  accounts: ReadonlyMap<string, Pick<PostedAccount, 'subClassification'>>,
  lines: readonly Pick<Line, 'elementId' | 'debit'>[],
): readonly string[] {
  const debited = lines.filter(({ debit }) => debit > 0n).map(({ elementId }) => elementId);
  return [...new Set(debited)].filter((id) => accounts.get(id)?.subClassification === 'receivable');
}

/**
 * Stores the open amount of a sales receipt that debits receivable accounts, and lets later triggers know them: they
 * cannot ask the chart. Nothing to do for other events, and for receipts that were paid at once (ledger L-100c, L-101).
 */
export async function openReceipt(
  tx: Transaction,
  event: { readonly id: string; readonly event_type: string },
  receivables: readonly string[],
): Promise<void> {
  if (event.event_type !== 'sales_receipt_recorded' || receivables.length === 0) return;
  await tx.query(
    sql`SELECT ledger_open_receipts(${tx.graphId}, ${[...receivables]}::text[], ARRAY[${event.id}::text])`,
  );
}
