import { type Ids, invalidInput, ServiceError, StoreError, type Transaction } from '@pacioli/core';
import type { ChartOfAccounts } from '@pacioli/taxonomy';
import { problemOfEvent } from './domain/event-rules.ts';
import { problemOfLines } from './domain/lines.ts';
import { isCurrency } from './domain/money.ts';
import type { JournalWriter, NewEvent, Refusal } from './store/journal-writer.ts';
import type { EventHandler, JournalPlan } from './tokens.ts';

/** An event as a caller sends it. */
export type EventToRecord = Omit<NewEvent, 'id' | 'status' | 'created_at' | 'created_by'> & {
  readonly apply_handlers: boolean;
};

export interface RecorderParts {
  readonly ids: Ids;
  readonly chart: ChartOfAccounts;
  readonly writer: JournalWriter;
  readonly handlers: readonly EventHandler[];
}

/** Records events and carries out what their handlers plan, in the order of ledger L-82. */
export class EventRecorder {
  readonly #ids: Ids;
  readonly #chart: ChartOfAccounts;
  readonly #writer: JournalWriter;
  readonly #handlers: ReadonlyMap<string, EventHandler>;

  constructor(parts: RecorderParts) {
    this.#ids = parts.ids;
    this.#chart = parts.chart;
    this.#writer = parts.writer;
    this.#handlers = new Map(parts.handlers.map((handler) => [handler.key, handler]));
  }

  async record(
    tx: Transaction,
    given: EventToRecord,
    by: { readonly userId: string; readonly now: Date },
  ): Promise<NewEvent> {
    this.#requireValid(given);
    const { apply_handlers, ...fields } = given;
    const plan = apply_handlers ? await this.#plan(tx, given, by.now) : undefined;
    const event: NewEvent = {
      ...fields,
      id: this.#ids.make('evt'),
      status: plan?.eventStatus ?? 'captured',
      created_at: by.now.toISOString(),
      created_by: by.userId,
    };
    if (plan !== undefined) {
      await this.#requireAccounts(tx, plan, event.currency);
      await this.#writer.fence(tx, plan);
    }
    const refusal = await this.#write(tx, event, plan);
    if (refusal !== undefined) throw refusalError(refusal, plan);
    return event;
  }

  #requireValid(given: EventToRecord): void {
    const problem = problemOfEvent({
      eventType: given.event_type,
      eventClass: given.event_class,
      eventCategory: given.event_category,
      source: given.source,
      metadata: given.metadata,
      appliesHandlers: given.apply_handlers,
    });
    if (problem !== undefined) throw invalidInput(problem);
    if (!isCurrency(given.currency))
      throw invalidInput(`currency: '${given.currency}' is not an ISO 4217 code in upper case, such as USD.`);
    const links = [
      ['agent_id', given.agent_id],
      ['obligated_by_event_id', given.obligated_by_event_id],
      ['discharges_event_id', given.discharges_event_id],
    ] as const;
    for (const [name, value] of links) {
      // Agents and links between events come with their own operations; until then no id of theirs can be right.
      if (value !== null) throw invalidInput(`${name}: '${value}' was not found in this graph.`);
    }
    if (given.dimension_ids.length > 0)
      throw invalidInput(`dimension_ids: '${given.dimension_ids[0]}' was not found in this graph.`);
  }

  async #plan(tx: Transaction, given: EventToRecord, now: Date): Promise<JournalPlan> {
    const handler = this.#handlers.get(given.event_type);
    if (handler === undefined) {
      throw new ServiceError(
        'not_found',
        'NO_EVENT_HANDLER',
        `No active handler found for event_type='${given.event_type}', event_category='${given.event_category}'. Send apply_handlers=false to record it without entries.`,
      );
    }
    const plan = await handler.plan({
      tx,
      event: { eventType: given.event_type, currency: given.currency, metadata: given.metadata },
      today: now.toISOString().slice(0, 10),
    });
    for (const [index, entry] of plan.entries.entries()) {
      const problem = problemOfLines(entry.lines);
      if (problem !== undefined) throw invalidInput(plan.entries.length === 1 ? problem : `Entry ${index}: ${problem}`);
    }
    return plan;
  }

  /** Every account exists on this graph, is no header, is active and of the entry's currency (ledger L-47, L-5). */
  async #requireAccounts(tx: Transaction, plan: JournalPlan, currency: string): Promise<void> {
    const ids = [...new Set(plan.entries.flatMap((entry) => entry.lines.map((line) => line.elementId)))];
    const accounts = await this.#chart.find(tx, ids);
    const missing = ids.filter((id) => !accounts.has(id));
    if (missing.length > 0)
      throw invalidInput(`Element(s) not found: [${missing.join(', ')}]`, { element_ids: missing });
    const isReversal = plan.entries.every((entry) => entry.reversalOf !== null);
    for (const account of accounts.values()) {
      const label = `Account ${account.code ?? account.id}`;
      if (account.isAbstract || account.isPlaceholder)
        throw invalidInput(`${label} ${account.name} is a header and cannot be posted to`);
      // What was posted before an account was retired can still be taken back.
      if (!account.isActive && !isReversal)
        throw invalidInput(`${label} ${account.name} is retired and cannot be posted to`);
      if (account.currency !== null && account.currency !== currency)
        throw invalidInput(`${label} is kept in ${account.currency}; entry is in ${currency}`);
    }
  }

  async #write(tx: Transaction, event: NewEvent, plan: JournalPlan | undefined): Promise<Refusal | undefined> {
    try {
      return await this.#writer.write(tx, event, plan);
    } catch (error) {
      if (error instanceof StoreError && error.constraint === 'ledger_event_external') throw duplicateError(undefined);
      if (error instanceof StoreError && error.constraint === 'ledger_entry_reversal') {
        throw invalidInput('Journal entry already has a reversing entry; an entry is reversed at most once.');
      }
      throw error;
    }
  }
}

function refusalError(refusal: Refusal, plan: JournalPlan | undefined): ServiceError {
  if (refusal.kind === 'duplicate') return duplicateError(refusal.eventId);
  if (refusal.kind === 'no-transaction')
    return invalidInput(`metadata.transaction_id: transaction '${plan?.transactionId}' was not found in this graph.`);
  const date = plan?.entries.map((entry) => entry.postingDate).find((day) => day.startsWith(refusal.period));
  // Ledger L-151.
  return invalidInput(
    `Cannot write to closed period '${refusal.period}' (posting_date=${date}). Reopen the period first if an adjustment is needed.`,
  );
}

/** Ledger L-83: the id of the event that is there already travels in a header. */
function duplicateError(eventId: string | undefined): ServiceError {
  return new ServiceError('conflict', 'ALREADY_EXISTS', 'Event already ingested for this source and external_id', {
    ...(eventId === undefined ? {} : { headers: { 'X-Existing-Event-Id': eventId } }),
  });
}
