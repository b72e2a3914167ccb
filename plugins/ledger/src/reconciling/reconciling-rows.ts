import { type Contribution, contribute, sql, type Transaction } from '@pacioli/core';
import type { EventRow } from '../event-blocks/index.ts';
import type { LedgerEntry, LedgerEvent, LedgerLineItem } from '../rows.gen.ts';
import { closeGates } from '../tokens.ts';
import { storedMetadata } from '../values/index.ts';
import type { PriorEntry } from './reconciling.ts';

/** The fields of a delivery other than its payload. */
export interface EventHeader {
  readonly occurred_at: string;
  readonly effective_at: string | null;
  readonly amount: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly agent_id: string | null;
  readonly external_url: string | null;
}

export interface PriorEntryRow extends PriorEntry, Pick<LedgerEntry, 'memo'> {
  readonly debit: string;
  readonly credit: string;
}

type AccountNet = Pick<LedgerLineItem, 'element_id'> & { readonly net: string };

/** Limit of the entries of one event that are compared, and of the accounts in them. */
const maxEntries = 10_000;
const itemsInSample = 5;

/** Rows behind reconciling items (ledger 6.3). */
export class ReconcilingRows {
  /** The id of the event of a provider's record. */
  async idOf(tx: Transaction, source: string, externalId: string): Promise<string | undefined> {
    const [row] = await tx.query(sql<Pick<LedgerEvent, 'id'>>`
      SELECT id FROM ledger_event WHERE graph_id = ${tx.graphId} AND source = ${source} AND external_id = ${externalId}`);
    return row?.id;
  }

  /** The entries of an event and their reversals, by date (ledger L-137). */
  async priorEntries(tx: Transaction, eventId: string): Promise<readonly PriorEntryRow[]> {
    return tx.query(sql<PriorEntryRow>`
      SELECT e.id, e.posting_date, e.status, e.reversal_of, e.provenance, e.memo, sum(l.debit_amount)::text AS debit, sum(l.credit_amount)::text AS credit,
        EXISTS (SELECT FROM ledger_entry AS o WHERE o.graph_id = e.graph_id AND o.transaction_id = e.transaction_id
          AND o.event_id IS DISTINCT FROM e.event_id) AS shares_transaction
      FROM ledger_entry AS e JOIN ledger_line_item AS l ON l.graph_id = e.graph_id AND l.entry_id = e.id
      WHERE e.graph_id = ${tx.graphId} AND (e.event_id = ${eventId} OR e.reversal_of IN (
        SELECT id FROM ledger_entry WHERE graph_id = ${tx.graphId} AND event_id = ${eventId}))
      GROUP BY e.graph_id, e.id ORDER BY e.posting_date, e.id LIMIT ${maxEntries}`);
  }

  /** Locks the entries of an event and their reversals by id, so that nobody reverses one (ledger L-150). */
  async lockEntries(tx: Transaction, eventId: string): Promise<void> {
    await tx.query(sql`
      SELECT id FROM ledger_entry WHERE graph_id = ${tx.graphId} AND (event_id = ${eventId} OR reversal_of IN (
        SELECT id FROM ledger_entry WHERE graph_id = ${tx.graphId} AND event_id = ${eventId}))
      ORDER BY id FOR NO KEY UPDATE`);
  }

  /** The net of these entries on each account, debit-positive. */
  async nets(tx: Transaction, entryIds: readonly string[]): Promise<readonly AccountNet[]> {
    return tx.query(sql<AccountNet>`
      SELECT element_id, (sum(debit_amount) - sum(credit_amount))::text AS net FROM ledger_line_item
      WHERE graph_id = ${tx.graphId} AND entry_id = ANY (${[...entryIds]}::text[]) GROUP BY element_id ORDER BY element_id`);
  }

  /** The first month that is not closed; the current one while there is no calendar. Undefined when all are closed. */
  async firstOpenMonth(tx: Transaction, today: string): Promise<string | undefined> {
    const graphId = tx.graphId;
    const [row] = await tx.query(sql<{ name: string | null; has_calendar: boolean }>`
      SELECT (SELECT min(name) FROM ledger_fiscal_period WHERE graph_id = ${graphId} AND status <> 'closed') AS name,
        EXISTS (SELECT FROM ledger_fiscal_calendar WHERE graph_id = ${graphId}) AS has_calendar`);
    return row?.name ?? (row?.has_calendar === true ? undefined : today.slice(0, 7));
  }

  /** Writes an event as a delivery or a resolution leaves it. */
  async write(
    tx: Transaction,
    id: string,
    event: {
      readonly header: EventHeader | undefined;
      readonly metadata: EventRow['metadata'];
      readonly isFlagged: boolean;
    },
  ): Promise<void> {
    await tx.query(sql`
      UPDATE ledger_event SET metadata = ${JSON.stringify(storedMetadata(event.metadata))}::text::jsonb, is_reconciling_item = ${event.isFlagged}
      WHERE graph_id = ${tx.graphId} AND id = ${id}`);
    const { header } = event;
    if (header === undefined) return;
    await tx.query(sql`
      UPDATE ledger_event SET occurred_at = ${header.occurred_at}::timestamptz, effective_at = ${header.effective_at}::timestamptz,
        amount = ${header.amount}, currency = ${header.currency}, description = ${header.description}, agent_id = ${header.agent_id},
        external_url = ${header.external_url}
      WHERE graph_id = ${tx.graphId} AND id = ${id}`);
  }

  /** Adds fields to the metadata that an event has now; everything else of it stays. */
  async addMetadata(tx: Transaction, id: string, fields: EventRow['metadata']): Promise<void> {
    await tx.query(sql`
      UPDATE ledger_event SET metadata = metadata || ${JSON.stringify(fields)}::text::jsonb
      WHERE graph_id = ${tx.graphId} AND id = ${id}`);
  }

  /** Sets the status of an event that was booked. */
  async setStatus(tx: Transaction, id: string, status: string): Promise<void> {
    await tx.query(sql`UPDATE ledger_event SET status = ${status} WHERE graph_id = ${tx.graphId} AND id = ${id}`);
  }

  /** The entries of an event with their transactions, by id. */
  async entryIds(tx: Transaction, eventId: string): Promise<readonly Pick<LedgerEntry, 'id' | 'transaction_id'>[]> {
    return tx.query(sql<Pick<LedgerEntry, 'id' | 'transaction_id'>>`
      SELECT id, transaction_id FROM ledger_entry WHERE graph_id = ${tx.graphId} AND event_id = ${eventId} ORDER BY id LIMIT ${maxEntries}`);
  }

  /** The number of items with an entry up to a day, and the first of them (ledger 7.3). */
  async waiting(
    tx: Transaction,
    until: string,
  ): Promise<{ readonly count: number; readonly sample: readonly string[] }> {
    const rows = await tx.query(sql<{ name: string; total: number }>`
      SELECT coalesce(v.external_id, v.id) AS name, count(*) OVER () AS total FROM ledger_event AS v
      WHERE v.graph_id = ${tx.graphId} AND v.is_reconciling_item AND EXISTS (
        SELECT FROM ledger_entry AS e WHERE e.graph_id = v.graph_id AND e.event_id = v.id AND e.posting_date <= ${until}::date OFFSET 0)
      ORDER BY v.occurred_at, v.id LIMIT ${itemsInSample}`);
    return { count: rows[0]?.total ?? 0, sample: rows.map(({ name }) => name) };
  }
}

/** Blocks the close of a month while reconciling items of it are unresolved (ledger 7.3). */
export const reconcilingGate: Contribution = contribute(closeGates, 'reconciling_items', {
  after: ['stranded_obligations'],
  create: () => ({
    label: 'reconciling item',
    overrideFlag: 'allow_reconciling_items' as const,
    evaluate: async ({ tx, month }) => {
      const { count, sample } = await new ReconcilingRows().waiting(tx, month.end);
      if (count === 0) return undefined;
      return { count, details: { reconciling_item_count: count, reconciling_item_sample: sample } };
    },
  }),
});
