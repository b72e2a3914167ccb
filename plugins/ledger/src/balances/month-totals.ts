import { sql, type Transaction } from '@pacioli/core';
import type { LedgerMonthTotal } from '../rows.gen.ts';

/**
 * Writes the totals of a month that is being closed: for every account all posted lines up to the end of the month
 * (ledger L-218). The caller holds the exclusive lock of the month and has posted its drafts. Reads the totals of the
 * closed month before and the lines since then. After a backfill (reporting Q-24), later closed months get theirs again:
 * a trigger removed them when this month was reopened.
 */
export async function keepMonthTotals(tx: Transaction, period: string): Promise<void> {
  const graphId = tx.graphId;
  const [base] = await tx.query(sql<{ period: LedgerMonthTotal['period'] | null; since: string | null }>`
    SELECT max(period) AS period, ((max(period) || '-01')::date + interval '1 month')::date AS since
    FROM ledger_month_total WHERE graph_id = ${graphId} AND period < ${period}`);
  const since = base?.since == null ? sql`` : sql`AND posting_date >= ${base.since}::date`;
  await tx.query(sql`
    WITH closed AS (
      SELECT ${period} AS period
      UNION SELECT name FROM ledger_fiscal_period WHERE graph_id = ${graphId} AND status = 'closed' AND name > ${period}
    ), sums AS (
      SELECT '' AS period, element_id, currency, debit_total AS debit, credit_total AS credit, line_count AS lines
      FROM ledger_month_total WHERE graph_id = ${graphId} AND period = ${base?.period ?? null}
      UNION ALL
      SELECT to_char(posting_date, 'YYYY-MM'), element_id, currency, sum(debit_amount), sum(credit_amount), count(*)
      FROM ledger_line_item WHERE graph_id = ${graphId} AND is_landed ${since}
        AND posting_date < ((SELECT max(period) FROM closed) || '-01')::date + interval '1 month'
      GROUP BY 1, 2, 3
    )
    INSERT INTO ledger_month_total (graph_id, period, element_id, currency, debit_total, credit_total, line_count)
    SELECT ${graphId}, c.period, s.element_id, s.currency, sum(s.debit), sum(s.credit), sum(s.lines)
    FROM closed AS c JOIN sums AS s ON s.period <= c.period GROUP BY c.period, s.element_id, s.currency`);
}
