import { columnsOf, type Page, type RawBuilder, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { LedgerEntry, LedgerLineItem, LedgerTransaction } from '../rows.gen.ts';
import { type DateRange, equal, inOrderOf, type ListPage, listPage, onPage, withOneMore } from '../values/index.ts';

const transactionColumns = columnsOf<LedgerTransaction>()(
  'id',
  'number',
  'type',
  'category',
  'amount',
  'currency',
  'date',
  'due_date',
  'merchant_name',
  'reference_number',
  'description',
  'source',
  'source_id',
  'status',
  'posted_at',
);

export type TransactionRow = RowOf<typeof transactionColumns>;

const storedColumns = columnsOf<LedgerEntry>()(
  'id',
  'number',
  'transaction_id',
  'type',
  'status',
  'posting_date',
  'currency',
  'memo',
  'provenance',
  'source_structure_id',
  'event_id',
  'reversal_of',
  'posted_at',
  'version',
);
export const entryColumns = sql`${storedColumns}, metadata ->> 'schedule_name' AS kept_structure_name`;

export type EntryRow = RowOf<typeof storedColumns> & {
  /** The name of a deleted structure, as stored on its entries (ledger L-190). */
  readonly kept_structure_name: string | null;
};

/** The first of a chain of reversals. */
export interface OriginRow extends Pick<EntryRow, 'id' | 'event_id' | 'source_structure_id'> {
  readonly steps: number;
}

const lineColumns = columnsOf<LedgerLineItem>()(
  'id',
  'entry_id',
  'element_id',
  'line_order',
  'debit_amount',
  'credit_amount',
  'description',
  'metadata',
);

export type LineRow = RowOf<typeof lineColumns> & { readonly metadata: Readonly<Record<string, unknown>> | null };

/** Limit of entries of one event, drafts and reversals included. */
export const maxEntriesOfEvent = 10_000;

/** An entry with the sum of its debits in minor units, which is that of its credits. */
export interface EntryTotal {
  readonly id: string;
  readonly transactionId: string | null;
  readonly type: string;
  readonly status: LedgerEntry['status'];
  readonly postingDate: string;
  readonly currency: string;
  readonly reversalOf: string | null;
  readonly amount: bigint;
}

export interface TransactionFilter extends DateRange {
  readonly type?: string | undefined;
}

export interface EntryFilter extends TransactionFilter {
  readonly status?: string | undefined;
  readonly provenance?: string | undefined;
  readonly transactionId?: string | undefined;
}

export interface JournalDates {
  readonly earliest: string | null;
  readonly latest: string | null;
}

/** Lists of the journal. Every list has a limit and a constant number of statements. */
export class JournalReads {
  async transactions(tx: Transaction, filter: TransactionFilter, page: Page): Promise<ListPage<TransactionRow>> {
    const from = sql`ledger_transaction WHERE graph_id = ${tx.graphId} AND ${inOrderOf('date')} ${equal('type', filter.type)} ${within('date', filter)}`;
    const order = sql`ORDER BY date DESC, id DESC`;
    const rows = await tx.query(sql<TransactionRow>`
      SELECT ${transactionColumns} FROM ledger_transaction WHERE graph_id = ${tx.graphId} AND ${onPage({ from, order }, withOneMore(page))} ${order}`);
    return listPage(rows, page, () => countOf(tx, from));
  }

  async transaction(tx: Transaction, id: string): Promise<TransactionRow | undefined> {
    const [row] = await tx.query(
      sql<TransactionRow>`SELECT ${transactionColumns} FROM ledger_transaction WHERE graph_id = ${tx.graphId} AND id = ${id}`,
    );
    return row;
  }

  async entriesOf(tx: Transaction, transactionId: string, limit: number): Promise<readonly EntryRow[]> {
    return tx.query(sql<EntryRow>`
      SELECT ${entryColumns} FROM ledger_entry WHERE graph_id = ${tx.graphId} AND transaction_id = ${transactionId}
      ORDER BY posting_date, created_at, id LIMIT ${limit}`);
  }

  /** The entries that an event wrote, in the order in which they were written. */
  async entriesOfEvent(tx: Transaction, eventId: string): Promise<readonly EntryTotal[]> {
    const graphId = tx.graphId;
    const rows = await tx.query(sql<EntryRow & { readonly amount: string }>`
      SELECT e.*, l.amount FROM (
        SELECT ${entryColumns} FROM ledger_entry WHERE graph_id = ${graphId} AND event_id = ${eventId} OFFSET 0) AS e
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(i.debit_amount), 0)::text AS amount FROM ledger_line_item AS i
        WHERE i.graph_id = ${graphId} AND i.entry_id = e.id OFFSET 0) AS l
      ORDER BY e.id LIMIT ${maxEntriesOfEvent + 1}`);
    if (rows.length > maxEntriesOfEvent) throw new Error(`An event has at most ${maxEntriesOfEvent} entries.`);
    return rows.map((row) => ({
      id: row.id,
      transactionId: row.transaction_id,
      type: row.type,
      status: row.status,
      postingDate: row.posting_date,
      currency: row.currency,
      reversalOf: row.reversal_of,
      amount: BigInt(row.amount),
    }));
  }

  async entries(tx: Transaction, filter: EntryFilter, page: Page): Promise<ListPage<EntryRow>> {
    const from = sql`ledger_entry WHERE graph_id = ${tx.graphId} AND ${inOrderOf('posting_date')} ${equal('type', filter.type)} ${equal('status', filter.status)}
      ${equal('provenance', filter.provenance)} ${equal('transaction_id', filter.transactionId)} ${within('posting_date', filter)}`;
    const order = sql`ORDER BY posting_date DESC, created_at DESC, id DESC`;
    const rows = await tx.query(sql<EntryRow>`
      SELECT ${entryColumns} FROM ledger_entry WHERE graph_id = ${tx.graphId} AND ${onPage({ from, order }, withOneMore(page))} ${order}`);
    return listPage(rows, page, () => countOf(tx, from));
  }

  async entry(tx: Transaction, id: string): Promise<EntryRow | undefined> {
    const [row] = await tx.query(
      sql<EntryRow>`SELECT ${entryColumns} FROM ledger_entry WHERE graph_id = ${tx.graphId} AND id = ${id}`,
    );
    return row;
  }

  /** The entry, locked until the transaction ends. */
  async entryForUpdate(tx: Transaction, id: string): Promise<EntryRow | undefined> {
    const [row] = await tx.query(sql<EntryRow>`
      SELECT ${entryColumns} FROM ledger_entry WHERE graph_id = ${tx.graphId} AND id = ${id} FOR NO KEY UPDATE`);
    return row;
  }

  /** The entry that reverses another, if there is one. */
  async reversalOf(tx: Transaction, id: string): Promise<string | undefined> {
    const [row] = await tx.query(
      sql<Pick<LedgerEntry, 'id'>>`SELECT id FROM ledger_entry WHERE graph_id = ${tx.graphId} AND reversal_of = ${id}`,
    );
    return row?.id;
  }

  /**
   * The first entry of a chain of reversals, and the number of reversals up to the given entry; the entry itself when
   * it reverses nothing (ledger L-63). Undefined for an unknown one.
   */
  async originOf(tx: Transaction, id: string): Promise<OriginRow | undefined> {
    const graphId = tx.graphId;
    const [row] = await tx.query(sql<OriginRow>`
      WITH RECURSIVE chain AS (
        SELECT id, reversal_of, event_id, source_structure_id, 0 AS steps FROM ledger_entry WHERE graph_id = ${graphId} AND id = ${id}
        UNION ALL
        SELECT o.id, o.reversal_of, o.event_id, o.source_structure_id, c.steps + 1
        FROM chain AS c CROSS JOIN LATERAL (
          SELECT * FROM ledger_entry AS e WHERE e.graph_id = ${graphId} AND e.id = c.reversal_of OFFSET 0) AS o
      )
      SELECT id, event_id, source_structure_id, steps FROM chain WHERE reversal_of IS NULL`);
    return row;
  }

  /** All lines of these entries in their order; one statement. */
  async linesOf(tx: Transaction, entryIds: readonly string[]): Promise<ReadonlyMap<string, readonly LineRow[]>> {
    const rows = await tx.query(sql<LineRow>`
      SELECT ${lineColumns} FROM ledger_line_item
      WHERE graph_id = ${tx.graphId} AND entry_id = ANY (${[...entryIds]}::text[]) ORDER BY entry_id, line_order`);
    const lines = new Map<string, LineRow[]>();
    for (const row of rows) lines.set(row.entry_id, [...(lines.get(row.entry_id) ?? []), row]);
    return lines;
  }

  async countTransactions(tx: Transaction): Promise<number> {
    return countOf(tx, sql`ledger_transaction WHERE graph_id = ${tx.graphId} AND ${inOrderOf('date')}`);
  }

  /** The days of the first and of the last transaction; null in books without one. */
  async dates(tx: Transaction): Promise<JournalDates> {
    const dates = sql`FROM ledger_transaction WHERE graph_id = ${tx.graphId} AND ${inOrderOf('date')}`;
    const [row] = await tx.query(sql<JournalDates>`
      SELECT (SELECT min(date) ${dates}) AS earliest, (SELECT max(date) ${dates}) AS latest`);
    return row ?? { earliest: null, latest: null };
  }
}

function within(column: string, range: DateRange): RawBuilder<unknown> {
  const from = range.start === null ? sql`` : sql`AND ${sql.ref(column)} >= ${range.start}`;
  return range.end === null ? from : sql`${from} AND ${sql.ref(column)} <= ${range.end}`;
}

async function countOf(tx: Transaction, from: RawBuilder<unknown>): Promise<number> {
  const [row] = await tx.query(sql<{ count: number }>`SELECT count(*) AS count FROM ${from}`);
  return row?.count ?? 0;
}
