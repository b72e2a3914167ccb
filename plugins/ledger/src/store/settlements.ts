import { sql, type Transaction } from '@pacioli/core';
import { allocate } from '../domain/settlement.ts';
import { graphOf } from './graph-of.ts';
import type { NewEvent } from './journal-writer.ts';

/** What a payment can settle, by its type (ledger L-90). */
const originatingTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ['payment_received', ['invoice_issued', 'sales_receipt_recorded']],
  ['bill_paid', ['bill_received']],
]);

/** Events that one payment settles. */
const settled_max = 500;

type DischargingEvent = Pick<
  NewEvent,
  'id' | 'event_type' | 'source' | 'amount' | 'metadata' | 'agent_id' | 'discharges_event_id'
>;

interface OpenEvent {
  readonly id: string;
  /** Minor units that nothing settles yet; below zero when overpaid. */
  readonly open: string;
}

/** Which event settles which, and how much of it. */
export class Settlements {
  /**
   * Keeps what an event settles: the event that it names, or, for a payment that is booked, those that its metadata
   * points to. Returns the first one.
   */
  async settle(
    tx: Transaction,
    event: DischargingEvent,
    { isBooked }: { readonly isBooked: boolean },
  ): Promise<string | null> {
    if (event.discharges_event_id !== null) {
      await this.#keep(tx, event, [{ id: event.discharges_event_id, open: '0' }]);
      return event.discharges_event_id;
    }
    const types = originatingTypes.get(event.event_type);
    if (types === undefined || !isBooked) return null;
    const originating = await this.#matching(tx, event, types);
    const [first] = originating;
    if (first === undefined) return null;
    await tx.query(sql`
      UPDATE ledger_event SET discharges_event_id = ${first.id} WHERE graph_id = ${graphOf(tx)} AND id = ${event.id}`);
    await this.#keep(tx, event, originating);
    return first.id;
  }

  /** Replaces what an event settles. */
  async change(tx: Transaction, event: DischargingEvent): Promise<void> {
    await tx.query(sql`
      DELETE FROM ledger_event_settlement WHERE graph_id = ${graphOf(tx)} AND discharging_event_id = ${event.id}`);
    await this.settle(tx, event, { isBooked: false });
  }

  /** Finds again what a booked payment settles, after its provider changed it (ledger L-90, L-143). */
  async rebook(tx: Transaction, event: DischargingEvent): Promise<void> {
    await tx.query(sql`
      DELETE FROM ledger_event_settlement WHERE graph_id = ${graphOf(tx)} AND discharging_event_id = ${event.id}`);
    const found = await this.settle(tx, { ...event, discharges_event_id: null }, { isBooked: true });
    if (found === null && event.discharges_event_id !== null) await this.settle(tx, event, { isBooked: true });
  }

  async #keep(tx: Transaction, event: DischargingEvent, originating: readonly OpenEvent[]): Promise<void> {
    // Ledger L-100: without an amount an event settles nothing.
    if (event.amount === null) return;
    const shares = allocate(
      BigInt(Math.abs(event.amount)),
      originating.map(({ open }) => BigInt(open)),
    );
    await tx.query(sql`
      INSERT INTO ledger_event_settlement (graph_id, discharging_event_id, originating_event_id, amount)
      SELECT ${graphOf(tx)}, ${event.id}, s.id, s.amount
      FROM unnest(${originating.map(({ id }) => id)}::text[], ${shares.map(String)}::bigint[]) AS s (id, amount)`);
  }

  async #matching(tx: Transaction, event: DischargingEvent, types: readonly string[]): Promise<readonly OpenEvent[]> {
    const linked = event.metadata['qb_linked_txns'];
    const externalIds = Array.isArray(linked)
      ? linked.filter((id) => typeof id === 'string').slice(0, settled_max)
      : [];
    const named =
      externalIds.length === 0
        ? []
        : await this.#open(tx, event, types, sql`o.external_id = ANY (${externalIds}::text[])`);
    const reference = event.metadata['qb_reference_number'];
    if (named.length > 0 || typeof reference !== 'string') return named;
    const byNumber = sql`o.metadata->>'qb_doc_number' = ${reference} AND o.agent_id IS NOT DISTINCT FROM ${event.agent_id}`;
    return (await this.#open(tx, event, types, byNumber)).slice(0, 1);
  }

  /** Events of the same source that are still alive, the oldest first, with what is left of each. */
  async #open(
    tx: Transaction,
    event: DischargingEvent,
    types: readonly string[],
    matches: ReturnType<typeof sql>,
  ): Promise<readonly OpenEvent[]> {
    return tx.query(sql<OpenEvent>`
      SELECT o.id, (coalesce(abs(o.amount), 0) - coalesce((
        SELECT sum(s.amount) FROM ledger_event_settlement AS s JOIN ledger_event AS d ON d.graph_id = s.graph_id AND d.id = s.discharging_event_id
        WHERE s.graph_id = o.graph_id AND s.originating_event_id = o.id AND d.status NOT IN ('voided', 'superseded')), 0))::text AS open
      FROM ledger_event AS o
      WHERE o.graph_id = ${graphOf(tx)} AND o.event_type = ANY (${[...types]}::text[]) AND o.source = ${event.source} AND ${matches}
        AND o.id <> ${event.id} AND o.status NOT IN ('voided', 'superseded')
      ORDER BY o.occurred_at, o.id LIMIT ${settled_max}`);
  }
}
