import { type RawBuilder, sql, type Transaction } from '@pacioli/core';

/** Selects the month of 1 to 12 in which fiscal years of the books end, for rows of the analytical graph. */
export function fiscalYearEndMonth(tx: Transaction): RawBuilder<unknown> {
  return sql`coalesce((select (c.fiscal_year_start_month + 10) % 12 + 1 from ledger_fiscal_calendar c
    where c.graph_id = ${tx.graphId}), 12)`;
}
