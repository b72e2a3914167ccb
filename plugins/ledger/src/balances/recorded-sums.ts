import { sql, type Transaction } from '@pacioli/core';
import type { LedgerLineItem } from '../rows.gen.ts';
import type { AccountBalance } from './balances.ts';

/**
 * The balances of accounts at the end of a day as the books stood at an instant: without entries posted later, and with
 * entries that a restatement has replaced since (ledger L-140, L-215). Reads the posted lines up to the day in one
 * statement.
 */
export async function recordedSums(
  tx: Transaction,
  { date, recordedBy, currency }: { readonly date: string; readonly recordedBy: Date; readonly currency: string },
): Promise<readonly AccountBalance[]> {
  const graphId = tx.graphId;
  const rows = await tx.query(sql<Pick<LedgerLineItem, 'element_id'> & { readonly balance: string }>`
    WITH known AS (
      SELECT l.element_id, l.debit_amount - l.credit_amount AS amount
      FROM ledger_line_item AS l JOIN ledger_entry AS e ON e.graph_id = l.graph_id AND e.id = l.entry_id
      WHERE l.graph_id = ${graphId} AND l.is_landed AND l.posting_date <= ${date}::date AND l.currency = ${currency}
        AND e.posted_at <= ${recordedBy}
      UNION ALL
      SELECT i.element_id, i.debit_amount - i.credit_amount
      FROM ledger_entry_history AS h
      CROSS JOIN LATERAL jsonb_to_record(h.content->'entry') AS e (status text, posting_date date, currency text, posted_at timestamptz)
      CROSS JOIN LATERAL jsonb_to_recordset(h.content->'line_items') AS i (element_id text, debit_amount bigint, credit_amount bigint)
      WHERE h.graph_id = ${graphId} AND h.reason = 'restated' AND h.at > ${recordedBy} AND e.status <> 'draft'
        AND e.posting_date <= ${date}::date AND e.currency = ${currency} AND e.posted_at <= ${recordedBy}
    )
    SELECT element_id, sum(amount) AS balance FROM known GROUP BY element_id ORDER BY element_id`);
  return rows.map(({ element_id: accountId, balance }) => ({ accountId, balance: BigInt(balance) }));
}
