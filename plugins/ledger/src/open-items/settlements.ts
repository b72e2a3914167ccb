import { invalidInput, type RawBuilder, sql, type Transaction } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';
import type { BookAnnouncements } from '../announcements/index.ts';
import { type NewEvent, requireCapacityForAmount } from '../journal/index.ts';
import type { LedgerAgent, LedgerEvent } from '../rows.gen.ts';
import { controlAccounts } from './control-accounts.ts';
import { lockEvents } from './event-locks.ts';
import {
  allocate,
  amountAfterDraft,
  type ControlNet,
  originatingSide,
  originatingTypes,
  paymentSide,
  problemOfSettling,
  type Settled,
} from './settlement.ts';

/** Limit of events that one payment settles. */
const maxSettled = 500;

/** Limit of settling events that an error names. */
const maxNamed = 10;

type DischargingEvent = Pick<
  NewEvent,
  'id' | 'event_type' | 'source' | 'amount' | 'currency' | 'metadata' | 'agent_id' | 'discharges_event_id'
>;

type OpenEvent = Settled &
  Pick<LedgerEvent, 'id'> & {
    /** Minor units that nothing else settles yet; negative when overpaid. */
    readonly open: string;
  };

/** Stores which event settles which, and by what amount. */
export class Settlements {
  readonly #chart: ChartOfAccounts;
  readonly #announcements: BookAnnouncements;

  constructor(chart: ChartOfAccounts, announcements: BookAnnouncements) {
    this.#chart = chart;
    this.#announcements = announcements;
  }

  /** Announces the items that this event leaves without an open amount, once it affects balances. */
  async announce(tx: Transaction, eventId: string): Promise<void> {
    await this.#announcements.settledBy(tx, [eventId]);
  }

  /**
   * Stores the events that an event settles: the one that it names, or, for a booked payment, those that its metadata
   * references, or, for a reversal, the event of the reversed entry. Returns the first one.
   */
  async settle(
    tx: Transaction,
    event: DischargingEvent,
    { isBooked }: { readonly isBooked: boolean },
  ): Promise<string | null> {
    if (event.event_type === 'journal_entry_reversed')
      return isBooked ? this.#takeBack(tx, event) : event.discharges_event_id;
    if (event.discharges_event_id !== null) {
      await this.#requireSettling(tx, event, event.discharges_event_id);
      await this.#keep(tx, event, [{ id: event.discharges_event_id, open: '0' }]);
      return event.discharges_event_id;
    }
    const side = paymentSide(event.event_type);
    if (side === undefined || !isBooked) return null;
    const originating = await this.#matching(tx, event, originatingTypes[side]);
    const [first] = originating;
    if (first === undefined) return null;
    await tx.query(sql`
      UPDATE ledger_event SET discharges_event_id = ${first.id} WHERE graph_id = ${tx.graphId} AND id = ${event.id}`);
    await this.#keep(tx, event, originating);
    return first.id;
  }

  /**
   * The events that `settle` is going to match with a booked event, besides those that it settles already. Whoever books
   * an event that exists locks them together with it (ledger L-150). Reads nothing for an event without references.
   */
  async matches(tx: Transaction, event: DischargingEvent): Promise<readonly string[]> {
    const side = paymentSide(event.event_type);
    if (side === undefined || event.discharges_event_id !== null) return [];
    return (await this.#matching(tx, event, originatingTypes[side])).map(({ id }) => id);
  }

  /** Throws when live events settle this one: retracted, it would hide what they settle (ledger L-72). */
  async requireUnsettled(tx: Transaction, event: Pick<LedgerEvent, 'id' | 'status'>): Promise<void> {
    const settling = await tx.query(sql<Pick<LedgerEvent, 'id'>>`
      SELECT d.id FROM ledger_event_settlement AS s CROSS JOIN LATERAL (
        SELECT v.id, v.status FROM ledger_event AS v WHERE v.graph_id = s.graph_id AND v.id = s.discharging_event_id OFFSET 0) AS d
      WHERE s.graph_id = ${tx.graphId} AND s.originating_event_id = ${event.id} AND d.status NOT IN ('voided', 'superseded')
      ORDER BY d.id LIMIT ${maxNamed}`);
    if (settling.length === 0) return;
    throw invalidInput(
      `Event ${event.id} cannot be retracted from '${event.status}': it is settled by ${settling.map(({ id }) => id).join(', ')}. ` +
        'Change the discharges_event_id of these events first; an empty text removes it.',
    );
  }

  /** Replaces the settlements of an event; its reversals follow. */
  async change(tx: Transaction, event: DischargingEvent): Promise<void> {
    if (event.event_type === 'journal_entry_reversed') throw settlesItsOwn();
    await this.#clear(tx, event.id);
    await this.settle(tx, event, { isBooked: false });
    await this.#follow(tx, event.id);
  }

  /** Matches a booked payment again after its provider changed it (ledger L-90, L-143). */
  async rebook(tx: Transaction, event: DischargingEvent): Promise<void> {
    if (event.event_type === 'journal_entry_reversed') return;
    await this.#clear(tx, event.id);
    const found = await this.settle(tx, { ...event, discharges_event_id: null }, { isBooked: true });
    if (found === null && event.discharges_event_id !== null)
      await this.#keepLink(tx, event, event.discharges_event_id);
    await this.#follow(tx, event.id);
  }

  /**
   * Updates an event after the lines of its draft changed on receivables or payables: the amount of an invoice or a
   * bill, and for a payment also its settlements (ledger L-100b). The lines of an invoice or a bill with one entry
   * determine its amount, whatever it was before.
   */
  async followDraft(
    tx: Transaction,
    event: DischargingEvent,
    draft: { readonly before: ControlNet; readonly after: ControlNet; readonly entryId: string },
  ): Promise<void> {
    if (event.amount === null || event.event_type === 'journal_entry_reversed') return;
    const settled = await this.#open(
      tx,
      event,
      sql`o.id = ANY (ARRAY(SELECT s.originating_event_id FROM ledger_event_settlement AS s
        WHERE s.graph_id = ${tx.graphId} AND s.discharging_event_id = ${event.id}))`,
    );
    const hasOtherEntries =
      originatingSide(event.event_type) !== undefined && (await this.#hasOtherEntries(tx, event.id, draft.entryId));
    const next = amountAfterDraft({ ...event, amount: event.amount }, settled, { ...draft, hasOtherEntries });
    if (next === undefined) return;
    const changed = { ...event, amount: next };
    const growth = Math.abs(changed.amount) - Math.abs(event.amount);
    if (growth > 0) await requireCapacityForAmount(tx, { amount: growth, currency: event.currency });
    await tx.query(sql`
      UPDATE ledger_event SET amount = ${changed.amount} WHERE graph_id = ${tx.graphId} AND id = ${event.id}`);
    if (settled.length > 0) await this.#keep(tx, changed, settled);
    await this.#follow(tx, event.id);
  }

  async #hasOtherEntries(tx: Transaction, eventId: string, entryId: string): Promise<boolean> {
    const others = await tx.query(sql`
      SELECT 1 FROM ledger_entry WHERE graph_id = ${tx.graphId} AND event_id = ${eventId} AND id <> ${entryId} LIMIT 1`);
    return others.length > 0;
  }

  /**
   * Locks the event that an entry, or the first of its chain of reversals, belongs to, and what it settles; before any
   * entry (ledger L-150).
   */
  async lockReversed(tx: Transaction, entryId: string): Promise<void> {
    await lockEvents(tx, `Journal entry ${entryId}`, sql`ARRAY(${this.#originOf(tx, sql`e.id = ${entryId}`)})`);
  }

  /**
   * Closes the item of a reversed invoice, and reopens the items that a reversed payment had settled (ledger L-100).
   */
  async #takeBack(tx: Transaction, event: DischargingEvent): Promise<string | null> {
    const [origin] = await tx.query(sql<Pick<LedgerEvent, 'id' | 'event_type'> & { readonly settles: boolean }>`
      SELECT v.id, v.event_type, EXISTS (SELECT FROM ledger_event_settlement AS s
        WHERE s.graph_id = v.graph_id AND s.discharging_event_id = v.id) AS settles
      FROM ledger_event AS v WHERE v.graph_id = ${tx.graphId}
        AND v.id = ANY (ARRAY(${this.#originOf(tx, sql`e.event_id = ${event.id} AND e.reversal_of IS NOT NULL`)}))`);
    const given = event.discharges_event_id;
    const isOriginating = origin !== undefined && originatingSide(origin.event_type) !== undefined;
    if (given !== null && !(isOriginating && given === origin.id)) throw settlesItsOwn();
    if (!isOriginating && origin?.settles !== true) return null;
    const changed = await this.#follow(tx, origin.id);
    return changed.get(event.id) ?? given;
  }

  /** The events of the first entries of chains of reversals. */
  #originOf(tx: Transaction, which: RawBuilder<unknown>): RawBuilder<unknown> {
    const graphId = tx.graphId;
    return sql`WITH RECURSIVE chain AS (
        SELECT e.event_id, e.reversal_of FROM ledger_entry AS e WHERE e.graph_id = ${graphId} AND ${which}
        UNION ALL
        SELECT o.event_id, o.reversal_of FROM chain AS c CROSS JOIN LATERAL (
          SELECT r.event_id, r.reversal_of FROM ledger_entry AS r WHERE r.graph_id = ${graphId} AND r.id = c.reversal_of OFFSET 0) AS o
      ) SELECT event_id FROM chain WHERE reversal_of IS NULL`;
  }

  /** Rewrites the settlements of the reversals of an event's entries; returns the links that changed, by event. */
  async #follow(tx: Transaction, eventId: string): Promise<ReadonlyMap<string, string | null>> {
    const graphId = tx.graphId;
    const [reversed] = await tx.query(sql`
      SELECT 1 FROM ledger_entry AS e WHERE e.graph_id = ${graphId} AND e.event_id = ${eventId} AND EXISTS (
        SELECT FROM ledger_entry AS r WHERE r.graph_id = e.graph_id AND r.reversal_of = e.id AND r.status <> 'draft' OFFSET 0) LIMIT 1`);
    if (reversed === undefined) return new Map();
    const { receivable, payable } = await controlAccounts(tx, this.#chart);
    const rows = await tx.query(sql<{
      readonly event_id: LedgerEvent['id'];
      readonly settles: LedgerEvent['discharges_event_id'];
    }>`
      SELECT event_id, settles FROM ledger_follow_reversals(${graphId}, ${[eventId]}::text[], ${receivable}::text[],
        ${payable}::text[])`);
    return new Map(rows.map(({ event_id: id, settles }) => [id, settles]));
  }

  /**
   * Keeps the link of a payment whose references match nothing. A provider's change cannot be refused, so a link that
   * now breaks the rules is dropped, and the settled item is open again.
   */
  async #keepLink(tx: Transaction, event: DischargingEvent, settledId: string): Promise<void> {
    if ((await this.#problem(tx, event, settledId)) === undefined)
      return this.#keep(tx, event, [{ id: settledId, open: '0' }]);
    await tx.query(sql`
      UPDATE ledger_event SET discharges_event_id = NULL WHERE graph_id = ${tx.graphId} AND id = ${event.id}`);
  }

  async #requireSettling(tx: Transaction, event: DischargingEvent, settledId: string): Promise<void> {
    const problem = await this.#problem(tx, event, settledId);
    if (problem !== undefined) throw invalidInput(problem);
  }

  /** Locks the event to be settled, so that it is not retracted meanwhile. */
  async #problem(tx: Transaction, event: DischargingEvent, settledId: string): Promise<string | undefined> {
    const [row] = await tx.query(sql<
      Settled & {
        readonly agent_type: LedgerAgent['agent_type'] | null;
      }
    >`
      SELECT o.event_type, o.status, o.currency, o.amount, a.agent_type FROM ledger_event AS o
      LEFT JOIN ledger_agent AS a ON a.graph_id = o.graph_id AND a.id = ${event.agent_id}
      WHERE o.graph_id = ${tx.graphId} AND o.id = ${settledId} FOR NO KEY UPDATE OF o`);
    if (row === undefined) throw new Error('The settled events were not looked up.');
    return problemOfSettling({ ...event, agentType: row.agent_type }, row);
  }

  async #clear(tx: Transaction, eventId: string): Promise<void> {
    await tx.query(sql`
      DELETE FROM ledger_event_settlement WHERE graph_id = ${tx.graphId} AND discharging_event_id = ${eventId}`);
  }

  async #keep(
    tx: Transaction,
    event: DischargingEvent,
    originating: readonly Pick<OpenEvent, 'id' | 'open'>[],
  ): Promise<void> {
    // Without an amount an event settles nothing (ledger L-100).
    if (event.amount === null) return;
    const shares = allocate(
      BigInt(Math.abs(event.amount)),
      originating.map(({ open }) => BigInt(open)),
    );
    await tx.query(sql`
      INSERT INTO ledger_event_settlement (graph_id, discharging_event_id, originating_event_id, amount)
      SELECT ${tx.graphId}, ${event.id}, s.id, s.amount
      FROM unnest(${originating.map(({ id }) => id)}::text[], ${shares.map(String)}::bigint[]) AS s (id, amount)
      ON CONFLICT (graph_id, discharging_event_id, originating_event_id) DO UPDATE SET amount = excluded.amount`);
  }

  /**
   * Finds the events that the references of a payment name, in its currency; a refund settles credit notes, a payment
   * none (ledger L-90).
   */
  async #matching(tx: Transaction, event: DischargingEvent, types: readonly string[]): Promise<readonly OpenEvent[]> {
    const isRefund = event.event_type === 'payment_received' && (event.amount ?? 0) < 0;
    const candidates = sql`o.event_type = ANY (${[...types]}::text[]) AND o.source = ${event.source}
      AND o.currency = ${event.currency} AND (coalesce(o.amount, 0) < 0) = ${isRefund}`;
    const linked = event.metadata['qb_linked_txns'];
    const externalIds = Array.isArray(linked) ? linked.filter((id) => typeof id === 'string').slice(0, maxSettled) : [];
    const named =
      externalIds.length === 0
        ? []
        : await this.#open(tx, event, sql`${candidates} AND o.external_id = ANY (${externalIds}::text[])`);
    const reference = event.metadata['qb_reference_number'];
    if (named.length > 0 || typeof reference !== 'string') return named;
    const byNumber = sql`${candidates} AND o.metadata->>'qb_doc_number' = ${reference} AND o.agent_id IS NOT DISTINCT FROM ${event.agent_id}`;
    return (await this.#open(tx, event, byNumber)).slice(0, 1);
  }

  /** Events that are not retracted, oldest first, with the amount of each that other events leave open. */
  async #open(tx: Transaction, event: DischargingEvent, matches: RawBuilder<unknown>): Promise<readonly OpenEvent[]> {
    return tx.query(sql<OpenEvent>`
      SELECT o.id, o.event_type, o.status, o.currency, o.amount, (coalesce(abs(o.amount), 0) - coalesce((
        SELECT sum(s.amount) FROM ledger_event_settlement AS s CROSS JOIN LATERAL (
          SELECT v.id, v.status FROM ledger_event AS v WHERE v.graph_id = s.graph_id AND v.id = s.discharging_event_id OFFSET 0) AS d
        WHERE s.graph_id = o.graph_id AND s.originating_event_id = o.id AND d.id <> ${event.id} AND d.status NOT IN ('voided', 'superseded')), 0))::text AS open
      FROM ledger_event AS o
      WHERE o.graph_id = ${tx.graphId} AND ${matches} AND o.id <> ${event.id} AND o.status NOT IN ('voided', 'superseded')
      ORDER BY o.occurred_at, o.id LIMIT ${maxSettled}`);
  }
}

function settlesItsOwn(): Error {
  return invalidInput(
    'discharges_event_id: a reversal settles the event of the reversed entry, or undoes its settlements. Omit this field.',
  );
}
