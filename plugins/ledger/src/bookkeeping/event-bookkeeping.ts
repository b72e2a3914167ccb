import type { Graphs, Transaction } from '@pacioli/core';
import type { Balances } from '../balances/index.ts';
import type { EventPreview, EventRecorder, EventToRecord, RecordedEvent } from '../event-blocks/index.ts';
import { defaultCurrency, exactMinor } from '../values/index.ts';
import type {
  BookedEvent,
  Bookkeeping,
  BookkeepingAuthor,
  BookkeepingEntry,
  BookkeepingEvent,
  BookkeepingLine,
  BookkeepingPreview,
  BookkeepingReversal,
} from './bookkeeping.ts';

export interface EventBookkeepingParts {
  /** Both accept the sources that plugins registered. */
  readonly recorder: EventRecorder;
  readonly preview: EventPreview;
  readonly balances: Pick<Balances, 'currency'>;
  readonly graphs: Pick<Graphs, 'markStale'>;
}

/** Turns the calls of plugins into events, the one form in which the books are written. */
export class EventBookkeeping implements Bookkeeping {
  readonly #parts: EventBookkeepingParts;

  constructor(parts: EventBookkeepingParts) {
    this.#parts = parts;
  }

  async record(tx: Transaction, event: BookkeepingEvent, by: BookkeepingAuthor): Promise<BookedEvent> {
    return this.#record(tx, await this.#toRecord(tx, event), by);
  }

  async preview(tx: Transaction, event: BookkeepingEvent, by: BookkeepingAuthor): Promise<BookkeepingPreview> {
    const found = await this.#parts.preview.preview(tx, await this.#toRecord(tx, event), by);
    return {
      problem: found.would_succeed ? undefined : (found.validation_errors[0] ?? 'The event would be refused.'),
      entries: found.planned_transactions.map(({ amount_cents }) => ({ amount: BigInt(amount_cents) })),
    };
  }

  async post(tx: Transaction, entry: BookkeepingEntry, by: BookkeepingAuthor): Promise<BookedEvent> {
    const { lines, memo, postingDate, metadata, ...fields } = entry;
    const journal = {
      ...metadata,
      posting_date: postingDate,
      memo: memo ?? fields.description ?? null,
      status: 'posted',
      line_items: lines.map(lineItem),
    };
    const occurredAt = dayStart(postingDate) ?? by.now; // An invalid date is refused by the journal.
    return this.#record(tx, await this.#toRecord(tx, { ...fields, ...ofJournal('recorded', occurredAt, journal) }), by);
  }

  async reverse(tx: Transaction, reversal: BookkeepingReversal, by: BookkeepingAuthor): Promise<BookedEvent> {
    const { entryId, memo, postingDate, metadata, ...fields } = reversal;
    const request = {
      ...metadata,
      entry_id: entryId,
      ...(postingDate === undefined ? {} : { posting_date: postingDate }),
      ...(memo === undefined ? {} : { memo }),
    };
    // The default currency stands for that of the reversed entry (ledger L-60).
    const event = { ...fields, currency: defaultCurrency, ...ofJournal('reversed', by.now, request) };
    return this.#record(tx, await this.#toRecord(tx, event), by);
  }

  async #record(tx: Transaction, event: EventToRecord, by: BookkeepingAuthor): Promise<BookedEvent> {
    const recorded = await this.#parts.recorder.record(tx, event, by);
    await this.#parts.graphs.markStale(tx, tx.graphId, 'event_block_created');
    return booked(recorded);
  }

  async #toRecord(tx: Transaction, event: BookkeepingEvent): Promise<EventToRecord> {
    return {
      event_type: event.eventType,
      event_class: 'economic',
      event_category: event.eventCategory,
      event_action: null,
      occurred_at: event.occurredAt.toISOString(),
      effective_at: event.effectiveAt?.toISOString() ?? null,
      source: event.source,
      external_id: event.reference ?? null,
      external_url: event.url ?? null,
      amount: event.amount === undefined ? null : exactMinor(event.amount, 'The amount of the event'),
      currency: event.currency ?? (await this.#parts.balances.currency(tx)),
      description: event.description ?? null,
      metadata: event.metadata ?? {},
      dimension_ids: [],
      agent_id: event.agentId ?? null,
      resource_type: null,
      resource_element_id: event.resourceElementId ?? null,
      obligated_by_event_id: null,
      discharges_event_id: event.settles ?? null,
      apply_handlers: event.writesEntries ?? true,
    };
  }
}

function ofJournal(
  what: 'recorded' | 'reversed',
  occurredAt: Date,
  metadata: Readonly<Record<string, unknown>>,
): Pick<BookkeepingEvent, 'eventType' | 'eventCategory' | 'occurredAt' | 'metadata'> {
  const eventType = what === 'recorded' ? 'journal_entry_recorded' : 'journal_entry_reversed';
  return { eventType, eventCategory: 'adjustment', occurredAt, metadata };
}

function lineItem(line: BookkeepingLine, index: number): Readonly<Record<string, unknown>> {
  return {
    element_id: line.accountId,
    debit_amount: exactMinor(line.debit ?? 0n, `The debit of line ${index + 1}`),
    credit_amount: exactMinor(line.credit ?? 0n, `The credit of line ${index + 1}`),
    ...(line.description === undefined ? {} : { description: line.description }),
  };
}

function dayStart(day: string): Date | undefined {
  const start = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(start.getTime()) ? undefined : start;
}

function booked({ event, entries }: RecordedEvent): BookedEvent {
  return {
    eventId: event.id,
    status: event.status,
    entries: entries.map(({ reversalOf: _original, ...entry }) => entry),
  };
}
