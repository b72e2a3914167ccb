import { type Ids, type RawBuilder, sql, type Transaction } from '@pacioli/core';
import type { LedgerEntry } from '../rows.gen.ts';
import type { Actor } from '../values/index.ts';
import type { EntryRow } from './journal-reads.ts';
import { entryColumns } from './journal-reads.ts';
import type { Line } from './lines.ts';
import type { LockedMonths } from './locked-months.ts';

/** The reason, author and time of a change of a draft. */
interface DraftChange {
  readonly reason: 'retracted' | 'updated' | 'deleted' | 'restated';
  readonly by: Actor;
}

/** The fields of a draft other than its lines. */
export interface DraftFields {
  readonly postingDate: string;
  readonly memo: string | null;
  readonly type: string;
}

/**
 * Changes of drafts; the replaced version is copied to the history first (ledger L-53, L-216). An entry in a month that
 * is not locked is a conflict: another caller has dated it there since the months were locked.
 */
export class DraftWrites {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Writes the fields of a draft and returns it; the store moves its lines to the new date. */
  async update(months: LockedMonths, id: string, fields: DraftFields, by: Actor): Promise<EntryRow> {
    months.requireCovers([fields.postingDate], `Journal entry ${id}`);
    const { tx } = months;
    await this.#copyToHistory(tx, sql`graph_id = ${tx.graphId} AND id = ${id}`, { reason: 'updated', by });
    const [entry] = await tx.query(sql<EntryRow>`
      UPDATE ledger_entry SET posting_date = ${fields.postingDate}::date, memo = ${fields.memo}, type = ${fields.type},
        version = version + 1, updated_at = ${by.now}
      WHERE graph_id = ${tx.graphId} AND id = ${id} RETURNING ${entryColumns}`);
    if (entry === undefined) throw new Error('The locked draft no longer exists.');
    return entry;
  }

  /** Replaces the lines of a draft (ledger L-55). */
  async replaceLines(
    months: LockedMonths,
    { id, posting_date: date }: Pick<EntryRow, 'id' | 'posting_date'>,
    lines: readonly Line[],
  ): Promise<void> {
    months.requireCovers([date], `Journal entry ${id}`);
    const { tx } = months;
    const graphId = tx.graphId;
    await tx.query(sql`DELETE FROM ledger_line_item WHERE graph_id = ${graphId} AND entry_id = ${id}`);
    const rows = lines.map((line, index) => ({
      id: this.#ids.make('li'),
      line_order: index + 1,
      element_id: line.elementId,
      debit_amount: line.debit.toString(),
      credit_amount: line.credit.toString(),
      description: line.description,
      metadata: line.metadata,
    }));
    await tx.query(sql`
      INSERT INTO ledger_line_item (graph_id, entry_id, line_order, id, element_id, posting_date, currency, is_landed, debit_amount,
        credit_amount, description, metadata)
      SELECT e.graph_id, e.id, l.line_order, l.id, l.element_id, e.posting_date, e.currency, false, l.debit_amount, l.credit_amount,
        l.description, l.metadata
      FROM ledger_entry AS e, jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) AS l (id text, line_order integer, element_id text,
        debit_amount bigint, credit_amount bigint, description text, metadata jsonb)
      WHERE e.graph_id = ${graphId} AND e.id = ${id}`);
  }

  /** Counts the drafts of an event other than this draft and its automatic reversal (ledger L-58, L-59). */
  async others(tx: Transaction, eventId: string, id: string): Promise<number> {
    const [row] = await tx.query(sql<{ count: number }>`
      SELECT count(*) AS count FROM ledger_entry WHERE graph_id = ${tx.graphId} AND event_id = ${eventId} AND status = 'draft' AND id <> ${id}
        AND reversal_of IS DISTINCT FROM ${id}`);
    return row?.count ?? 0;
  }

  /** The days of a draft and of its automatic reversal. */
  async datesWithReversal(tx: Transaction, id: string): Promise<readonly string[]> {
    const rows = await tx.query(sql<Pick<LedgerEntry, 'posting_date'>>`
      SELECT posting_date FROM ledger_entry WHERE graph_id = ${tx.graphId} AND id = ${id}
      UNION ALL
      SELECT posting_date FROM ledger_entry WHERE graph_id = ${tx.graphId} AND reversal_of = ${id} AND status = 'draft'`);
    return rows.map((row) => row.posting_date);
  }

  /**
   * Updates a transaction after a change of its entries: it takes amount and date of its only entry, and is deleted
   * when an event created it and no entry is left (ledger L-56, L-59).
   */
  async follow(tx: Transaction, transactionId: string, now: Date): Promise<void> {
    const graphId = tx.graphId;
    await tx.query(sql`
      UPDATE ledger_transaction AS t SET amount = rest.amount, date = rest.posting_date, updated_at = ${now}
      FROM (
        SELECT min(e.posting_date) AS posting_date, sum(l.debit_amount) AS amount
        FROM (
          SELECT id, posting_date FROM ledger_entry WHERE graph_id = ${graphId} AND transaction_id = ${transactionId} OFFSET 0) AS e
        CROSS JOIN LATERAL (
          SELECT debit_amount FROM ledger_line_item WHERE graph_id = ${graphId} AND entry_id = e.id OFFSET 0) AS l
        HAVING count(DISTINCT e.id) = 1
      ) AS rest WHERE t.graph_id = ${graphId} AND t.id = ${transactionId} AND t.status = 'pending'`);
    await tx.query(sql`
      DELETE FROM ledger_transaction AS t WHERE graph_id = ${graphId} AND id = ${transactionId} AND event_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM ledger_entry AS e WHERE e.graph_id = t.graph_id AND e.transaction_id = t.id OFFSET 0)`);
  }

  /**
   * Deletes the drafts of a retracted event and voids transactions without entries (ledger L-73).
   */
  async retract(months: LockedMonths, eventId: string, by: Actor): Promise<void> {
    const { tx } = months;
    const drafts = sql`graph_id = ${tx.graphId} AND event_id = ${eventId} AND status = 'draft'`;
    await this.#copyToHistory(tx, drafts, { reason: 'retracted', by });
    const removed = await tx.query(sql<Pick<LedgerEntry, 'transaction_id' | 'posting_date'>>`
      DELETE FROM ledger_entry WHERE ${drafts} RETURNING transaction_id, posting_date`);
    months.requireCovers(datesOf(removed), `Event ${eventId}`);
    const ids = [...new Set(removed.flatMap(({ transaction_id: id }) => (id === null ? [] : [id])))];
    await tx.query(sql`
      UPDATE ledger_transaction AS t SET status = 'void', updated_at = ${by.now}
      WHERE graph_id = ${tx.graphId} AND id = ANY (${ids}::text[]) AND event_id = ${eventId} AND status = 'pending'
        AND NOT EXISTS (SELECT FROM ledger_entry AS e WHERE e.graph_id = t.graph_id AND e.transaction_id = t.id OFFSET 0)`);
  }

  /** Deletes all entries of an event, posted ones too, before its new entries are written (ledger L-140). */
  async removeForRestating(months: LockedMonths, eventId: string, by: Actor): Promise<void> {
    const { tx } = months;
    const graphId = tx.graphId;
    const which = sql`graph_id = ${graphId} AND event_id = ${eventId}`;
    await this.#copyToHistory(tx, which, { reason: 'restated', by });
    const removed = await tx.query(sql<Pick<EntryRow, 'posting_date'>>`
      DELETE FROM ledger_entry WHERE ${which} RETURNING posting_date`);
    months.requireCovers(datesOf(removed), `Event ${eventId}`);
    await tx.query(sql`
      DELETE FROM ledger_transaction AS t WHERE ${which}
        AND NOT EXISTS (SELECT FROM ledger_entry AS e WHERE e.graph_id = t.graph_id AND e.transaction_id = t.id OFFSET 0)`);
  }

  /** Deletes these drafts with their lines, and the drafts that reverse them (ledger L-59). */
  async remove(months: LockedMonths, ids: readonly string[], by: Actor): Promise<void> {
    if (ids.length === 0) return;
    const { tx } = months;
    const list = [...ids];
    const which = sql`graph_id = ${tx.graphId} AND status = 'draft' AND id = ANY (ARRAY(
      SELECT unnest(${list}::text[])
      UNION ALL
      SELECT r.id FROM ledger_entry AS r WHERE r.graph_id = ${tx.graphId} AND r.reversal_of = ANY (${list}::text[])))`;
    await this.#copyToHistory(tx, which, { reason: 'deleted', by });
    const removed = await tx.query(sql<Pick<EntryRow, 'posting_date'>>`
      DELETE FROM ledger_entry WHERE ${which} RETURNING posting_date`);
    months.requireCovers(datesOf(removed), 'A draft entry');
  }

  /** Copies entries with their lines into the history, as their current version. */
  async #copyToHistory(tx: Transaction, which: RawBuilder<unknown>, { reason, by }: DraftChange): Promise<void> {
    await tx.query(sql`
      INSERT INTO ledger_entry_history (graph_id, entry_id, version, event_id, reason, content, at, by)
      SELECT graph_id, id, version, event_id, ${reason}, jsonb_build_object('entry', to_jsonb(e) - 'graph_id', 'line_items', (
        SELECT jsonb_agg(to_jsonb(l) - 'graph_id' ORDER BY line_order) FROM ledger_line_item AS l
        WHERE l.graph_id = e.graph_id AND l.entry_id = e.id)), ${by.now}, ${by.userId}
      FROM ledger_entry AS e WHERE ${which}`);
  }
}

function datesOf(rows: readonly Pick<EntryRow, 'posting_date'>[]): readonly string[] {
  return rows.map((row) => row.posting_date);
}
