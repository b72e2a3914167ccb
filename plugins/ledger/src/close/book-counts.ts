import { type RawBuilder, sql, type Transaction } from '@pacioli/core';
import { inOrderOf } from '../values/index.ts';

/** The entries of the books. */
export async function countEntries(tx: Transaction): Promise<number> {
  return sumOf(tx, {
    closed: sql`entries`,
    open: { table: 'ledger_entry', where: sql`true` },
    // A receipt has no drafts, which a closed month keeps when their events were retracted (ledger L-158).
    drafts: sql`${draftsOfBooks(tx)} AND EXISTS (
      SELECT FROM receipts AS r WHERE e.posting_date >= r.first AND e.posting_date < r.next)`,
  });
}

/** The lines of all entries of the books. */
export async function countLines(tx: Transaction): Promise<number> {
  return sumOf(tx, {
    closed: sql`lines`,
    open: { table: 'ledger_line_item', where: sql`is_landed` },
    drafts: sql`(SELECT e.graph_id, e.id FROM ${draftsOfBooks(tx)}) AS d CROSS JOIN LATERAL (
      SELECT FROM ledger_line_item AS i WHERE i.graph_id = d.graph_id AND i.entry_id = d.id OFFSET 0) AS l`,
  });
}

/** The drafts `e` of all months. */
function draftsOfBooks(tx: Transaction): RawBuilder<unknown> {
  return sql`ledger_entry AS e WHERE e.graph_id = ${tx.graphId} AND ${inOrderOf('posting_date')} AND e.status = 'draft'`;
}

/**
 * Adds what the receipts of closed months say to what is counted in all other months and among drafts. The posted
 * entries of a closed month never change (ledger L-198), so that only open months are read.
 */
async function sumOf(
  tx: Transaction,
  counted: {
    readonly closed: RawBuilder<unknown>;
    /** Rows of all graphs and days. */
    readonly open: { readonly table: string; readonly where: RawBuilder<unknown> };
    readonly drafts: RawBuilder<unknown>;
  },
): Promise<number> {
  const [row] = await tx.query(sql<{ count: number }>`
    WITH receipts AS MATERIALIZED (
      SELECT to_date(name, 'YYYY-MM') AS first, (to_date(name, 'YYYY-MM') + interval '1 month')::date AS next,
        (close_receipt->'private'->>'entries')::bigint AS entries, (close_receipt->'private'->>'lines')::bigint AS lines
      FROM ledger_fiscal_period
      WHERE graph_id = ${tx.graphId} AND status = 'closed' AND jsonb_exists(close_receipt->'private', 'lines')
    ), gaps AS (
      SELECT coalesce(lag(next) OVER (ORDER BY first), '-infinity'::date) AS start, first AS until FROM receipts
      UNION ALL SELECT coalesce(max(next), '-infinity'::date), 'infinity'::date FROM receipts
    )
    SELECT ((SELECT coalesce(sum(${counted.closed}), 0) FROM receipts)
      + (SELECT coalesce(sum((
          SELECT count(*) FROM ${sql.table(counted.open.table)}
          WHERE graph_id = ${tx.graphId} AND ${counted.open.where} AND posting_date >= g.start AND posting_date < g.until)), 0)
        FROM gaps AS g WHERE g.start < g.until)
      + (SELECT count(*) FROM ${counted.drafts}))::bigint AS count`);
  return row?.count ?? 0;
}
