import { type Graphs, invalidInput, isServiceError, ServiceError, type Transaction } from '@pacioli/core';
import type { Balances } from '../balances/index.ts';
import {
  classOf,
  type EventPreview,
  type EventReads,
  type EventRecorder,
  type EventRow,
  type EventToRecord,
  isEqualJson,
} from '../event-blocks/index.ts';
import { type JournalReads, type PlannedEntry, totals } from '../journal/index.ts';
import { defaultCurrency, exactMinor, normalizedText } from '../values/index.ts';
import type {
  BookedEvent,
  Bookkeeping,
  BookkeepingAuthor,
  BookkeepingEntry,
  BookkeepingEvent,
  BookkeepingLine,
  BookkeepingPreview,
  BookkeepingReversal,
  PreviewedEntry,
} from './bookkeeping.ts';

export interface EventBookkeepingParts {
  /** Both accept the sources that plugins registered. */
  readonly recorder: EventRecorder;
  readonly preview: EventPreview;
  readonly events: EventReads;
  readonly journal: JournalReads;
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
      entries: (found.plan?.entries ?? []).map(previewed),
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
    const event = {
      reference: `reversal of ${entryId}`,
      ...fields,
      // The default currency stands for that of the reversed entry (ledger L-60).
      currency: defaultCurrency,
      ...ofJournal('reversed', by.now, request),
    };
    return this.#record(tx, await this.#toRecord(tx, event), by);
  }

  /** Records the event, or returns the one that was recorded under its reference. */
  async #record(tx: Transaction, event: EventToRecord, by: BookkeepingAuthor): Promise<BookedEvent> {
    const { events, graphs, recorder } = this.#parts;
    try {
      const recorded = await recorder.record(tx, event, by);
      await graphs.markStale(tx, tx.graphId, 'event_block_created');
      return await this.#booked(tx, recorded.event, true);
    } catch (error) {
      // The recorder refuses a duplicate without an error of the store, so the transaction can continue.
      if (!isServiceError(error) || error.code !== 'ALREADY_EXISTS') throw error;
      const earlier = await events.find(tx, error.headers['X-Existing-Event-Id'] ?? '');
      if (earlier === undefined) throw error;
      requireSame(earlier, event);
      return this.#booked(tx, earlier, false);
    }
  }

  async #booked(
    tx: Transaction,
    event: Pick<EventRow, 'id'> & { readonly status: string },
    isNew: boolean,
  ): Promise<BookedEvent> {
    const entries = await this.#parts.journal.entriesOfEvent(tx, event.id);
    return { eventId: event.id, status: event.status, isNew, entries };
  }

  async #toRecord(tx: Transaction, event: BookkeepingEvent): Promise<EventToRecord> {
    return {
      event_type: event.eventType,
      event_class: classOf(event.eventCategory),
      event_category: event.eventCategory,
      event_action: null,
      occurred_at: instantText('occurredAt', event.occurredAt),
      effective_at: event.effectiveAt === undefined ? null : instantText('effectiveAt', event.effectiveAt),
      source: event.source,
      external_id: normalizedText(event.reference),
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

/** The instant as text; the store holds the years 1 to 9999. */
function instantText(field: string, instant: Date): string {
  const text = Number.isNaN(instant.getTime()) ? '' : instant.toISOString();
  if (/^(?!0000)\d{4}-/.test(text)) return text;
  throw invalidInput(`${field}: an instant between the years 1 and 9999 is required.`);
}

function previewed({ lines, postingDate, status, memo }: PlannedEntry): PreviewedEntry {
  return {
    postingDate,
    status,
    memo,
    amount: totals(lines).debit,
    lines: lines.map(({ elementId, debit, credit }) => ({ accountId: elementId, debit, credit })),
  };
}

/** Rejects a reference that stands for another event. A reversal is known by its entry: the time of a retry differs. */
function requireSame(earlier: EventRow, event: EventToRecord): void {
  const isReversal = event.event_type === 'journal_entry_reversed';
  const own: readonly (readonly [string, unknown, unknown])[] = [
    ['occurredAt', earlier.occurred_at.toISOString(), event.occurred_at],
    ['amount', earlier.amount, event.amount],
    ['currency', earlier.currency, event.currency],
    ['settles', earlier.discharges_event_id, event.discharges_event_id],
    ['agentId', earlier.agent_id, event.agent_id],
    ['resourceElementId', earlier.resource_element_id, event.resource_element_id],
  ];
  const keys = isReversal ? ['entry_id'] : ['posting_date', 'line_items', 'entries'];
  const fields = [
    ['eventType', earlier.event_type, event.event_type] as const,
    ...(isReversal ? [] : own),
    ...keys.map((key) => [key, earlier.metadata[key], event.metadata[key]] as const),
  ];
  const different = fields.filter(([, before, now]) => !isEqualJson(before, asStored(now))).map(([name]) => name);
  if (different.length === 0) return;
  throw new ServiceError(
    'conflict',
    'ALREADY_EXISTS',
    `Event ${earlier.id} was recorded under the reference '${earlier.external_id}' of '${earlier.source}' and differs in ` +
      `${different.join(', ')}. Use another reference for another event.`,
  );
}

/** A value as the store returns it: without what JSON leaves out. */
function asStored(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
