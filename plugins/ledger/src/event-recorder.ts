import { type Ids, invalidInput, isServiceError, ServiceError, StoreError, type Transaction } from '@pacioli/core';
import type { Account, ChartOfAccounts } from '@pacioli/taxonomy';
import { problemOfEvent } from './domain/event-rules.ts';
import { problemOfLines, totals } from './domain/lines.ts';
import { amount_max, isCurrency } from './domain/money.ts';
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
    const plan = await this.#decide(tx, given, by.now);
    const { apply_handlers: _applies, ...fields } = given;
    const event: NewEvent = {
      ...fields,
      id: this.#ids.make('evt'),
      status: plan?.eventStatus ?? 'captured',
      created_at: by.now.toISOString(),
      created_by: by.userId,
    };
    if (plan !== undefined) await this.#writer.fence(tx, plan);
    const refusal = await this.#write(tx, event, plan);
    if (refusal !== undefined) throw refusalError(refusal, event, plan);
    return event;
  }

  /** What the event does. A second delivery is told so first, whatever else is wrong with it (ledger L-82, L-83). */
  async #decide(tx: Transaction, given: EventToRecord, now: Date): Promise<JournalPlan | undefined> {
    try {
      const plan = given.apply_handlers ? await this.#plan(tx, given, now) : undefined;
      await this.#requireRows(tx, given, plan);
      return plan;
    } catch (error) {
      // Only after an error of the store the transaction cannot be asked any more.
      if (!isServiceError(error) || given.external_id === null) throw error;
      const eventId = await this.#writer.findByExternalId(tx, given.source, given.external_id);
      throw eventId === undefined ? error : duplicateError(eventId);
    }
  }

  #requireValid(given: EventToRecord): void {
    const problem = problemOfEvent({
      eventType: given.event_type,
      eventClass: given.event_class,
      eventCategory: given.event_category,
      source: given.source,
      externalId: given.external_id,
      metadata: given.metadata,
      appliesHandlers: given.apply_handlers,
    });
    if (problem !== undefined) throw invalidInput(problem);
    if (!isCurrency(given.currency))
      throw invalidInput(`currency: '${given.currency}' is not an ISO 4217 code in upper case, such as USD.`);
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
    // Ledger L-2: the entries share a transaction, whose amount is their sum.
    const total = plan.entries.reduce((sum, entry) => sum + totals(entry.lines).debit, 0n);
    if (total > BigInt(amount_max)) throw invalidInput(`The total of the entries is above ${amount_max} minor units`);
    return plan;
  }

  /** Everything that the event names is in this graph, and its accounts can be posted to (ledger L-69, L-47). */
  async #requireRows(tx: Transaction, given: EventToRecord, plan: JournalPlan | undefined): Promise<void> {
    // Agents and dimensions come with their own operations; until then no id of theirs can be right.
    for (const [name, value] of [
      ['agent_id', given.agent_id],
      ['dimension_ids', given.dimension_ids[0] ?? null],
    ] as const) {
      if (value !== null) throw notInGraph(name, value);
    }
    const links = {
      obligated_by_event_id: given.obligated_by_event_id,
      discharges_event_id: given.discharges_event_id,
    };
    const wanted = Object.values(links).filter((id) => id !== null);
    const present = wanted.length === 0 ? new Set() : await this.#writer.presentEvents(tx, wanted);
    for (const [name, value] of Object.entries(links)) {
      if (value !== null && !present.has(value)) throw notInGraph(name, value);
    }
    const posted = new Set(plan?.entries.flatMap((entry) => entry.lines.map((line) => line.elementId)));
    const ids = [...posted, ...(given.resource_element_id === null ? [] : [given.resource_element_id])];
    const accounts = ids.length === 0 ? new Map<string, Account>() : await this.#chart.find(tx, ids);
    if (given.resource_element_id !== null && !accounts.has(given.resource_element_id))
      throw notInGraph('resource_element_id', given.resource_element_id);
    if (plan !== undefined) requirePostable(accounts, [...posted], plan, given.currency);
  }

  async #write(tx: Transaction, event: NewEvent, plan: JournalPlan | undefined): Promise<Refusal | undefined> {
    try {
      return await this.#writer.write(tx, event, plan);
    } catch (error) {
      if (error instanceof StoreError && error.constraint === 'ledger_entry_reversal') {
        throw invalidInput('Journal entry already has a reversing entry; an entry is reversed at most once.');
      }
      throw error;
    }
  }
}

/** Every account exists on this graph, is no header, is active and of the entry's currency (ledger L-47, L-5). */
function requirePostable(
  accounts: ReadonlyMap<string, Account>,
  ids: readonly string[],
  plan: JournalPlan,
  currency: string,
): void {
  const missing = ids.filter((id) => !accounts.has(id));
  if (missing.length > 0) throw invalidInput(`Element(s) not found: [${missing.join(', ')}]`, { element_ids: missing });
  const isReversal = plan.entries.every((entry) => entry.reversalOf !== null);
  for (const id of ids) {
    const account = accounts.get(id);
    if (account === undefined) continue;
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

function notInGraph(field: string, id: string): ServiceError {
  return invalidInput(`${field}: '${id}' was not found in this graph.`);
}

function refusalError(refusal: Refusal, event: NewEvent, plan: JournalPlan | undefined): ServiceError {
  if (refusal.kind === 'duplicate') return duplicateError(refusal.eventId);
  if (refusal.kind === 'no-transaction')
    return invalidInput(`metadata.transaction_id: transaction '${plan?.transactionId}' was not found in this graph.`);
  if (refusal.kind === 'other-currency') {
    return invalidInput(
      `metadata.transaction_id: transaction '${plan?.transactionId}' is in ${refusal.currency}; entry is in ${event.currency}`,
    );
  }
  const date = plan?.entries.map((entry) => entry.postingDate).find((day) => day.startsWith(refusal.period));
  // Ledger L-151.
  return invalidInput(
    `Cannot write to closed period '${refusal.period}' (posting_date=${date}). Reopen the period first if an adjustment is needed.`,
  );
}

/** Ledger L-83: the id of the event that is there already travels in a header. */
function duplicateError(eventId: string): ServiceError {
  return new ServiceError('conflict', 'ALREADY_EXISTS', 'Event already ingested for this source and external_id', {
    headers: { 'X-Existing-Event-Id': eventId },
  });
}
