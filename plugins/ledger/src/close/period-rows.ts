import { type Ids, sql, type Transaction } from '@pacioli/core';
import type { LedgerFiscalCalendar } from '../rows.gen.ts';
import type { CloseReceipt } from './close.ts';
import type { CalendarActor, PeriodRow } from './stored-calendar.ts';

/** Changes of period rows and of the pointer; the caller holds the period lock and the calendar's row. */
export class PeriodLocks {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /**
   * Creates the missing rows of these months and returns their number: a closed month without a row is a baseline
   * (ledger L-17).
   */
  async topUp(tx: Transaction, months: readonly string[], by: CalendarActor): Promise<number> {
    const graphId = tx.graphId;
    const created = await tx.query(sql`
      INSERT INTO ledger_fiscal_period (graph_id, name, status, closed_at, closed_by)
      SELECT ${graphId}, m.name, CASE WHEN c.is_closed THEN 'closed' ELSE 'open' END,
        CASE WHEN c.is_closed THEN ${by.now}::timestamptz END, CASE WHEN c.is_closed THEN 'baseline' END
      FROM unnest(${[...months]}::text[]) AS m (name), ledger_fiscal_calendar AS k,
        LATERAL (SELECT coalesce(m.name <= k.closed_through, false) AS is_closed) AS c
      WHERE k.graph_id = ${graphId} ORDER BY m.name ON CONFLICT DO NOTHING RETURNING name`);
    return created.length;
  }

  /** The month's row, locked until the transaction ends. */
  async forUpdate(tx: Transaction, period: string): Promise<PeriodRow | undefined> {
    const [row] = await tx.query(sql<PeriodRow>`
      SELECT name, status, closed_at, close_receipt IS NOT NULL AS has_close_receipt
      FROM ledger_fiscal_period WHERE graph_id = ${tx.graphId} AND name = ${period} FOR NO KEY UPDATE`);
    return row;
  }

  /** Locks a month and moves the pointers of the calendar (ledger L-158). */
  async close(
    tx: Transaction,
    period: string,
    pointers: { readonly closedThrough: string; readonly closeTarget: string | null },
    by: CalendarActor,
  ): Promise<void> {
    const graphId = tx.graphId;
    await tx.query(sql`
      UPDATE ledger_fiscal_period SET status = 'closed', closed_at = ${by.now}, closed_by = ${by.userId}
      WHERE graph_id = ${graphId} AND name = ${period}`);
    await tx.query(sql`
      UPDATE ledger_fiscal_calendar SET closed_through = ${pointers.closedThrough}, close_target = ${pointers.closeTarget},
        last_close_at = ${by.now} WHERE graph_id = ${graphId}`);
  }

  /** Stores the receipt of a close with its month (ledger L-161). */
  async keepReceipt(tx: Transaction, receipt: CloseReceipt): Promise<void> {
    await tx.query(sql`
      UPDATE ledger_fiscal_period SET close_receipt = ${JSON.stringify(receipt)}::text::jsonb
      WHERE graph_id = ${tx.graphId} AND name = ${receipt.period}`);
  }

  /**
   * Reopens a month; its receipt moves to the history, and the pointer to the month before, if that has a row (ledger
   * L-169).
   */
  async reopen(tx: Transaction, period: string, before: string, by: CalendarActor): Promise<string | null> {
    const graphId = tx.graphId;
    await this.reopenInPlace(tx, period, by);
    const [calendar] = await tx.query(sql<Pick<LedgerFiscalCalendar, 'closed_through'>>`
      UPDATE ledger_fiscal_calendar SET closed_through = (
        SELECT name FROM ledger_fiscal_period WHERE graph_id = ${graphId} AND name = ${before})
      WHERE graph_id = ${graphId} RETURNING closed_through`);
    return calendar?.closed_through ?? null;
  }

  /** Reopens a month without moving the pointer, for months that are closed again at once (reporting Q-24). */
  async reopenInPlace(tx: Transaction, period: string, by: CalendarActor): Promise<void> {
    const graphId = tx.graphId;
    await tx.query(sql`
      INSERT INTO ledger_close_receipt_history (graph_id, period, id, receipt, reopened_at, reopened_by)
      SELECT graph_id, name, ${this.#ids.make('fce')}, close_receipt, ${by.now}, ${by.userId} FROM ledger_fiscal_period
      WHERE graph_id = ${graphId} AND name = ${period} AND close_receipt IS NOT NULL`);
    await tx.query(sql`
      UPDATE ledger_fiscal_period SET status = 'closing', closed_at = NULL, closed_by = NULL, close_receipt = NULL
      WHERE graph_id = ${graphId} AND name = ${period}`);
  }
}
