import { type Ids, invalidInput, isServiceError, isWebLink, notFound, sql, type Transaction } from '@pacioli/core';
import {
  datesOfPlan,
  debitsOfPlan,
  type EventDispatch,
  type EventPlanner,
  type EventReads,
  type EventRow,
  type EventWrites,
  isEqualJson,
} from '../event-blocks/index.ts';
import {
  bookingFailureOf,
  type JournalDecision,
  type JournalPlan,
  type JournalWriter,
  type LockedMonths,
  writeJournal,
} from '../journal/index.ts';
import type { Settlements } from '../open-items/index.ts';
import { type Actor, writeConflict } from '../values/index.ts';
import type { Booking, Delivered, Delivery, Reconciliation } from './reconciliation.ts';
import { isSamePayload } from './reconciling.ts';
import { headerOfEvent } from './reconciling-planner.ts';
import type { EventHeader, ReconcilingRows } from './reconciling-rows.ts';

export interface DeliveryParts {
  readonly ids: Ids;
  readonly events: EventReads;
  readonly rows: ReconcilingRows;
  readonly planner: EventPlanner;
  readonly dispatch: EventDispatch;
  readonly writes: EventWrites;
  readonly writer: JournalWriter;
  readonly settlements: Settlements;
}

interface BookingDecision extends JournalDecision {
  readonly plan: JournalPlan;
}

const savepoint = sql`SAVEPOINT booking`;
const release = sql`RELEASE SAVEPOINT booking`;
const rollback = sql`ROLLBACK TO SAVEPOINT booking`;

/** Limit of the message of a failed booking that is stored on the event (ledger L-132). */
const maxMessageChars = 500;

/** Accepts records from providers, new or repeated, and books them (ledger L-130, L-132, L-136). */
export class Deliveries implements Reconciliation {
  readonly #parts: DeliveryParts;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  async deliver(tx: Transaction, delivery: Delivery, by: Actor): Promise<Delivered> {
    const { events, rows, writes } = this.#parts;
    const id = await rows.idOf(tx, delivery.source, delivery.externalId);
    if (id !== undefined) await writes.lock(tx, [id], { links: false });
    const event = id === undefined ? undefined : await events.find(tx, id);
    if (event === undefined) return this.#capture(tx, delivery, by);
    const kind = await this.#again(tx, event, delivery, by.now);
    return { eventId: event.id, kind };
  }

  async #capture(tx: Transaction, delivery: Delivery, by: Actor): Promise<Delivered> {
    const id = this.#parts.ids.make('evt');
    const earlier = await this.#parts.writer.capture(tx, {
      id,
      event_type: delivery.eventType,
      event_class: 'economic',
      event_category: delivery.eventCategory,
      event_action: delivery.eventAction,
      status: 'captured',
      source: delivery.source,
      external_id: delivery.externalId,
      ...headerOfDelivery(delivery),
      metadata: stored(delivery, {}),
      dimension_ids: [],
      resource_type: null,
      resource_element_id: delivery.resourceElementId,
      obligated_by_event_id: null,
      discharges_event_id: null,
      created_at: by.now.toISOString(),
      created_by: by.userId,
    });
    // A concurrent delivery of the same record won, with the same or a newer version.
    return earlier === undefined ? { eventId: id, kind: 'captured' } : { eventId: earlier, kind: 'same' };
  }

  async #again(tx: Transaction, event: EventRow, delivery: Delivery, now: Date): Promise<Delivered['kind']> {
    const { rows, writes } = this.#parts;
    const known = event.metadata['qb_sync_token'];
    if (typeof known === 'number' && delivery.version !== null) {
      if (delivery.version < known) return 'stale';
      if (delivery.version === known) return 'same';
    }
    const isBooked = event.status === 'committed' || event.status === 'fulfilled';
    const isWaiting = event.status === 'captured' || event.status === 'classified';
    if (!isBooked && !isWaiting) return 'left';
    if (isWaiting && (await writes.entriesOf(tx, event.id)).length === 0) {
      const metadata = stored(delivery, onlyDispatch(event.metadata));
      await rows.write(tx, event.id, { header: headerOfDelivery(delivery), metadata, isFlagged: false });
      return 'updated';
    }
    const { drift_payload: _payload, drift_header: _header, drift_detected_at: _at, ...rest } = event.metadata;
    const live = { ...rest, ...(delivery.version === null ? {} : { qb_sync_token: delivery.version }) };
    if (isSamePayload(event.metadata, delivery.metadata)) {
      await rows.write(tx, event.id, { header: undefined, metadata: live, isFlagged: false });
      return event.is_reconciling_item ? 'cleared' : 'unchanged';
    }
    const metadata = {
      ...live,
      drift_payload: delivery.metadata,
      drift_header: headerOfDelivery(delivery),
      drift_detected_at: now.toISOString(),
    };
    await rows.write(tx, event.id, { header: undefined, metadata, isFlagged: true });
    return 'flagged';
  }

  async book(tx: Transaction, eventId: string, now: Date): Promise<Booking> {
    const { events, rows, writes } = this.#parts;
    const found = await events.find(tx, eventId);
    if (found === undefined) throw notFound(`Event not found: ${eventId}`);
    await tx.query(savepoint);
    try {
      const status = await this.#book(tx, found, now);
      await tx.query(release);
      return { isBooked: true, status };
    } catch (error) {
      // Rolling back leaves the savepoint, and one for each failed booking would pile up in a batch.
      await tx.query(rollback);
      await tx.query(release);
      if (!isServiceError(error) || error.kind === 'internal' || error.kind === 'conflict') throw error;
      await writes.lock(tx, [eventId], { links: false });
      const current = (await events.find(tx, eventId)) ?? found;
      const attempts = Number(current.metadata['dispatch_attempts'] ?? 0) + 1;
      const failure = {
        dispatch_error: bookingFailureOf(error) ?? 'unknown_error',
        dispatch_error_message: error.message.slice(0, maxMessageChars),
        dispatch_error_at: now.toISOString(),
        dispatch_attempts: attempts,
      };
      // A newer delivery may have been stored in the meantime, so only the outcome of this booking is written.
      await rows.addMetadata(tx, eventId, failure);
      return { isBooked: false, error: failure.dispatch_error, message: failure.dispatch_error_message };
    }
  }

  /** Books an event with posted entries, because its provider has already posted it (ledger L-132). */
  #book(tx: Transaction, event: EventRow, now: Date): Promise<string> {
    const { dispatch, events, planner, settlements, writes } = this.#parts;
    return writeJournal<BookingDecision, string>(tx, {
      now,
      decide: async () => {
        const plan = asPosted(event, await planner.plan(tx, event, now));
        return {
          subject: `Event ${event.id}`,
          plan,
          dates: datesOfPlan(plan),
          locksRows: true,
          debits: debitsOfPlan(plan, event.currency),
        };
      },
      decideAgain: async (first) => {
        await dispatch.lockRows(tx, event.event_type, first.plan);
        const settled = await settlements.matches(tx, event);
        await writes.lock(tx, [event.id, ...settled], { links: false });
        const current = await events.find(tx, event.id);
        if (current?.status !== 'captured')
          throw invalidInput(`Event ${event.id} is ${current?.status}; only captured events can be booked.`);
        // The plan holds as long as its record is the same.
        if (!isSameRecord(current, event)) throw writeConflict(`Event ${event.id}`);
        return first;
      },
      apply: (months, { plan }) => this.#write(months, event, plan, now),
      settle: async (status) => {
        const settled = await settlements.settle(tx, event, { isBooked: true });
        if (settled !== null) await settlements.announce(tx, event.id);
        return status;
      },
    });
  }

  async #write(months: LockedMonths, event: EventRow, plan: JournalPlan, now: Date): Promise<string> {
    const { dispatch, rows, writer } = this.#parts;
    const { tx } = months;
    // The accounts that may not fall below zero are no reason to refuse what the provider has posted.
    await writer.writeLater(months, { ...event, created_at: now.toISOString() }, plan);
    const {
      dispatch_error: _error,
      dispatch_error_message: _message,
      dispatch_error_at: _at,
      ...metadata
    } = event.metadata;
    await rows.write(tx, event.id, { header: undefined, metadata, isFlagged: false });
    await rows.setStatus(tx, event.id, 'fulfilled');
    await dispatch.apply({ months, eventId: event.id, userId: event.created_by, now }, event.event_type, plan);
    return 'fulfilled';
  }
}

/**
 * The plan with its entries posted at once. Rejects a plan that writes more than entries, such as the months of a
 * schedule, because a provider's record cannot include those.
 */
export function asPosted(event: Pick<EventRow, 'id' | 'event_type'>, plan: JournalPlan): JournalPlan {
  if (plan.writtenBy === 'handler')
    throw invalidInput(
      `An event ${event.event_type} has effects beyond the entries that its provider has booked. Move event ${event.id} to 'committed' with update-event-block to execute it here.`,
    );
  return {
    ...plan,
    eventStatus: 'fulfilled',
    provenance: 'source_sync',
    entries: plan.entries.map((entry) => ({ ...entry, status: 'posted' })),
  };
}

function headerOfDelivery(delivery: Delivery): EventHeader {
  return {
    occurred_at: delivery.occurredAt,
    effective_at: delivery.effectiveAt,
    amount: delivery.amount,
    currency: delivery.currency,
    description: delivery.description,
    agent_id: delivery.agentId,
    // A record is accepted even when its link is unsafe to show; only the link is dropped.
    external_url: delivery.externalUrl !== null && isWebLink(delivery.externalUrl) ? delivery.externalUrl : null,
  };
}

function stored(delivery: Delivery, more: EventRow['metadata']): EventRow['metadata'] {
  return {
    ...delivery.metadata,
    ...more,
    connection_id: delivery.connectionId,
    ...(delivery.version === null ? {} : { qb_sync_token: delivery.version }),
  };
}

/** True when nothing that the entries were planned from has changed. */
function isSameRecord(one: EventRow, other: EventRow): boolean {
  return isEqualJson(one.metadata, other.metadata) && isEqualJson(headerOfEvent(one), headerOfEvent(other));
}

/** Counters of failed bookings survive a newer delivery (ledger L-130). */
function onlyDispatch(metadata: EventRow['metadata']): EventRow['metadata'] {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => key.startsWith('dispatch_')));
}
