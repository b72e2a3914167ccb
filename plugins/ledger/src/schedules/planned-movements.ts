import { sql, type Transaction } from '@pacioli/core';

/** The amount that schedules and recorded disposals add to an account in a month. */
export interface PlannedMovement {
  readonly accountId: string;
  /** `YYYY-MM`. */
  readonly period: string;
  /** Debits minus credits in minor units of the functional currency. */
  readonly amount: bigint;
}

/** The movements of months that are already known, for plans. */
export interface PlannedMovements {
  /**
   * By month and account: the entries of schedules from the month `anchor` through the last one, and disposals dated
   * after the anchor whose entry is recorded (reporting Q-15a). A schedule ends with its months, or with the last month
   * that was over when its asset was disposed of. One statement.
   */
  between(
    tx: Transaction,
    window: { readonly anchor: string; readonly last: string; readonly currency: string },
  ): Promise<readonly PlannedMovement[]>;
}

/** The months of stored schedules and the entries of their disposals. */
export const storedMovements: PlannedMovements = {
  between: async (tx, { anchor, last, currency }) => {
    const graphId = tx.graphId;
    const rows = await tx.query(sql<Omit<PlannedMovement, 'amount'> & { readonly amount: string }>`
      WITH due AS (
        SELECT m.period, m.amount, s.definition->'entry_template' AS template
        FROM ledger_schedule AS s JOIN ledger_schedule_month AS m ON m.graph_id = s.graph_id AND m.structure_id = s.structure_id
        WHERE s.graph_id = ${graphId} AND s.currency = ${currency} AND m.period <= ${last}
          AND (s.disposed_on IS NULL OR (m.period || '-01')::date + interval '1 month' - interval '1 day' <= s.disposed_on)
      ), entries AS (
        SELECT period, amount, template FROM due
        UNION ALL
        SELECT to_char((period || '-01')::date + interval '1 month', 'YYYY-MM'), -amount, template FROM due
        WHERE (template->>'auto_reverse')::boolean
      ), moved AS (
        SELECT e.period, l.account_id, l.sign * e.amount AS amount FROM entries AS e CROSS JOIN LATERAL (VALUES
          (e.template->>'debit_element_id', 1), (e.template->>'credit_element_id', -1)) AS l (account_id, sign)
        UNION ALL
        SELECT to_char(e.posting_date, 'YYYY-MM'), i.element_id, i.debit_amount - i.credit_amount
        FROM ledger_schedule AS s
        JOIN ledger_entry AS e ON e.graph_id = s.graph_id AND e.event_id = s.disposal_event_id
        JOIN ledger_line_item AS i ON i.graph_id = e.graph_id AND i.entry_id = e.id
        WHERE s.graph_id = ${graphId} AND e.currency = ${currency} AND to_char(s.disposed_on, 'YYYY-MM') > ${anchor}
          AND e.status <> 'reversed' AND e.reversal_of IS NULL
      )
      SELECT account_id AS "accountId", period, sum(amount)::text AS amount FROM moved
      WHERE period BETWEEN ${anchor} AND ${last} GROUP BY account_id, period ORDER BY period, account_id`);
    return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
  },
};
