import { type EventPublisher, type RawBuilder, sql, type Transaction } from '@pacioli/core';
import entryPosted from '../events/entry-posted.ts';
import entryReversed from '../events/entry-reversed.ts';
import eventRecorded from '../events/event-recorded.ts';
import invoiceSettled from '../events/invoice-settled.ts';
import periodClosed from '../events/period-closed.ts';
import periodReopened from '../events/period-reopened.ts';
import type { LedgerEntry, LedgerEvent } from '../rows.gen.ts';

/** An event as it is announced. */
export type AnnouncedEvent = Pick<
  LedgerEvent,
  'id' | 'event_type' | 'event_category' | 'source' | 'external_id' | 'amount' | 'currency'
> & { readonly status: string };

/** A posted entry as it is announced. */
export type AnnouncedEntry = Pick<LedgerEntry, 'id' | 'event_id' | 'posting_date' | 'currency' | 'reversal_of'> & {
  /** The sum of the debits in minor units. */
  readonly amount: bigint;
};

/** Limit of the events of one statement. */
const maxPublished = 1_000;

/**
 * Publishes what happens in the books as business events, in the transaction of the change (ledger L-222). Reads and
 * writes nothing for an event to which no job of the deployment subscribes.
 */
export class BookAnnouncements {
  readonly #events: EventPublisher;

  constructor(events: EventPublisher) {
    this.#events = events;
  }

  async recorded(tx: Transaction, event: AnnouncedEvent): Promise<void> {
    const { id, event_type, event_category, status, source, external_id, amount, currency } = event;
    const facts = { event_id: id, event_type, event_category, status, source, external_id, amount, currency };
    await this.#events.publish(tx, eventRecorded, { graph_id: tx.graphId, ...facts }, tx.graphId);
  }

  async posted(tx: Transaction, entries: readonly AnnouncedEntry[]): Promise<void> {
    const graph = tx.graphId;
    for (let from = 0; from < entries.length; from += maxPublished) {
      const some = entries.slice(from, from + maxPublished);
      await this.#events.publishAll(
        tx,
        entryPosted,
        some.map(({ id, event_id, posting_date, currency, amount }) => ({
          graph_id: graph,
          entry_id: id,
          event_id,
          posting_date,
          currency,
          amount: amount.toString(),
        })),
        graph,
      );
      await this.#events.publishAll(
        tx,
        entryReversed,
        some.flatMap(({ id, posting_date, reversal_of: original }) =>
          original === null ? [] : [{ graph_id: graph, entry_id: original, reversal_id: id, posting_date }],
        ),
        graph,
      );
    }
  }

  /** The ids of drafts that are about to be posted; none unless a job subscribes to what follows from that. */
  async toAnnounce(tx: Transaction, drafts: RawBuilder<unknown>): Promise<readonly string[]> {
    if (![entryPosted, entryReversed, invoiceSettled].some((event) => this.#events.isSubscribed(event))) return [];
    const rows = await tx.query(sql<Pick<LedgerEntry, 'id'>>`SELECT d.id FROM (${drafts}) AS d`);
    return rows.map(({ id }) => id);
  }

  /** Announces entries that a statement posted, and what is settled by them. */
  async postedBy(tx: Transaction, entryIds: readonly string[]): Promise<void> {
    if (entryIds.length === 0) return;
    const ids = sql`${[...entryIds]}::text[]`;
    const rows = await tx.query(sql<Omit<AnnouncedEntry, 'amount'> & { amount: string }>`
      SELECT e.id, e.event_id, e.posting_date, e.currency, e.reversal_of, (
        SELECT coalesce(sum(l.debit_amount), 0)::text FROM ledger_line_item AS l
        WHERE l.graph_id = e.graph_id AND l.entry_id = e.id) AS amount
      FROM ledger_entry AS e WHERE e.graph_id = ${tx.graphId} AND e.id = ANY (${ids}) ORDER BY e.id`);
    await this.posted(
      tx,
      rows.map((row) => ({ ...row, amount: BigInt(row.amount) })),
    );
    await this.settledBy(tx, [...new Set(rows.flatMap(({ event_id }) => event_id ?? []))]);
  }

  /** Announces the invoices and bills of which these events, which settle them, leave nothing open. */
  async settledBy(tx: Transaction, eventIds: readonly string[]): Promise<void> {
    if (!this.#events.isSubscribed(invoiceSettled)) return;
    const rows = await tx.query(sql<Pick<LedgerEvent, 'id' | 'event_type'> & { settled_by: string }>`
      SELECT o.id, o.event_type, max(s.discharging_event_id) AS settled_by
      FROM ledger_event_settlement AS s JOIN ledger_event AS o ON o.graph_id = s.graph_id AND o.id = s.originating_event_id
      WHERE s.graph_id = ${tx.graphId} AND s.discharging_event_id = ANY (${[...eventIds]}::text[])
        AND o.event_type IN ('invoice_issued', 'sales_receipt_recorded', 'bill_received')
        AND o.status IN ('committed', 'fulfilled')
        AND EXISTS (SELECT FROM ledger_event AS d WHERE d.graph_id = s.graph_id AND d.id = s.discharging_event_id
          AND d.status IN ('committed', 'fulfilled'))
        AND NOT EXISTS (SELECT FROM ledger_open_item AS i WHERE i.graph_id = s.graph_id AND i.event_id = o.id)
      GROUP BY o.id, o.event_type ORDER BY o.id`);
    const payloads = rows.map(({ id, ...row }) => ({ graph_id: tx.graphId, event_id: id, ...row }));
    for (let from = 0; from < payloads.length; from += maxPublished)
      await this.#events.publishAll(tx, invoiceSettled, payloads.slice(from, from + maxPublished), tx.graphId);
  }

  async closed(
    tx: Transaction,
    period: string,
    by: { readonly userId: string; readonly isAgain: boolean },
  ): Promise<void> {
    const payload = { graph_id: tx.graphId, period, closed_by: by.userId, is_again: by.isAgain };
    await this.#events.publish(tx, periodClosed, payload, tx.graphId);
  }

  async reopened(
    tx: Transaction,
    period: string,
    by: { readonly userId: string; readonly reason: string },
  ): Promise<void> {
    const payload = { graph_id: tx.graphId, period, reopened_by: by.userId, reason: by.reason };
    await this.#events.publish(tx, periodReopened, payload, tx.graphId);
  }
}
