import { invalidInput, ServiceError, type Transaction } from '@pacioli/core';
import type { ChartOfAccounts, PostedAccount } from '@pacioli/taxonomy';
import {
  accountsOf,
  bookingRefusal,
  type HandledEvent,
  type JournalPlan,
  type LimitedAccount,
  limitedAmong,
  type NewEvent,
  type Postable,
  problemOfLines,
  requireCapacityForAmount,
  requirePostable,
  totals,
} from '../journal/index.ts';
import type { StoredAgents } from '../parties/index.ts';
import { isCurrency, maxAmount } from '../values/index.ts';
import type { EventDispatch } from './event-dispatch.ts';
import type { EventHandler } from './event-handler.ts';
import type { EventReads } from './event-reads.ts';
import { problemOfEvent } from './event-rules.ts';
import type { EventSources } from './event-sources.ts';

/** An event as a caller sends it. */
export type EventToRecord = Omit<NewEvent, 'id' | 'status' | 'created_at' | 'created_by'> & {
  readonly apply_handlers: boolean;
};

/** The fields on which a plan depends; instants in UTC. */
export type PlannableEvent = Pick<
  NewEvent,
  | 'id'
  | 'event_type'
  | 'event_category'
  | 'source'
  | 'external_id'
  | 'amount'
  | 'currency'
  | 'description'
  | 'agent_id'
  | 'resource_type'
  | 'resource_element_id'
  | 'metadata'
> & { readonly occurred_at: string | Date; readonly effective_at: string | Date | null };

/** Links of an event to others; null where there is none. */
export type EventLinks = Pick<EventToRecord, 'obligated_by_event_id' | 'discharges_event_id'>;

export interface PlannerParts {
  readonly chart: ChartOfAccounts;
  readonly agents: StoredAgents;
  readonly events: EventReads;
  readonly dispatch: EventDispatch;
  readonly sources: EventSources;
}

/** Plans the journal entries of an event and rejects invalid ones; read-only. */
export class EventPlanner {
  readonly #chart: ChartOfAccounts;
  readonly #agents: StoredAgents;
  readonly #events: EventReads;
  readonly #dispatch: EventDispatch;
  readonly #sources: EventSources;

  constructor(parts: PlannerParts) {
    this.#chart = parts.chart;
    this.#agents = parts.agents;
    this.#events = parts.events;
    this.#dispatch = parts.dispatch;
    this.#sources = parts.sources;
  }

  /** Rejects an event whose fields are invalid, before its links and accounts are looked up. */
  async requireValid(tx: Transaction, given: EventToRecord): Promise<void> {
    const problem = problemOfEvent({
      eventType: given.event_type,
      eventClass: given.event_class,
      eventCategory: given.event_category,
      source: given.source,
      externalId: given.external_id,
      externalUrl: given.external_url,
      description: given.description,
      metadata: given.metadata,
      appliesHandlers: given.apply_handlers,
    });
    if (problem !== undefined) throw invalidInput(problem);
    if (!isCurrency(given.currency))
      throw invalidInput(`currency: '${given.currency}' is not an ISO 4217 code in upper case, such as USD.`);
    await this.#sources.requireSource(tx, 'events', given.source);
    await this.requireConnection(tx, given, 'metadata.connection_id', given.metadata['connection_id']);
  }

  /** The event in the currency of its subject, such as the reversed entry, if its handler knows that currency. */
  async inItsCurrency<Event extends PlannableEvent>(tx: Transaction, given: Event): Promise<Event> {
    const currency = await this.builtIn(given.event_type)?.currency?.({ tx, event: handledEvent(given) });
    return currency === undefined ? given : { ...given, currency };
  }

  /** Rejects an id that is not a connection of the graph, or one of another source than the event's (ledger L-82). */
  requireConnection(tx: Transaction, event: Pick<PlannableEvent, 'source'>, field: string, id: unknown): Promise<void> {
    return this.#sources.requireConnection(tx, field, id, event.source);
  }

  /** The built-in handler of an event type; undefined when only a rule of the tenant can handle it (ledger L-86). */
  builtIn(eventType: string): EventHandler | undefined {
    return this.#dispatch.builtIn(eventType);
  }

  /** Plans the event; throws when no handler matches, and for invalid entries (ledger L-45, L-46). */
  async plan(tx: Transaction, given: PlannableEvent, now: Date): Promise<JournalPlan> {
    const plan = await this.planIfKnown(tx, given, now);
    if (plan !== undefined) return plan;
    throw new ServiceError(
      'not_found',
      'NO_EVENT_HANDLER',
      `No active handler found for event_type='${given.event_type}', event_category='${given.event_category}'. Send apply_handlers=false to record it without entries.`,
    );
  }

  /** Like `plan`, but undefined when no handler matches (ledger L-78). */
  async planIfKnown(tx: Transaction, given: PlannableEvent, now: Date): Promise<JournalPlan | undefined> {
    const plan = await this.#dispatch.plan(tx, handledEvent(given), now);
    if (plan === undefined) return undefined;
    requireBalanced(plan);
    return plan;
  }

  /** Rejects an event that its handler cannot classify as it is (ledger L-79). */
  async requireClassified(tx: Transaction, given: PlannableEvent): Promise<void> {
    const plan = this.builtIn(given.event_type)?.classified?.(handledEvent(given));
    if (plan === undefined) return;
    requireBalanced(plan);
    await this.requireAccounts(tx, plan, given.currency);
  }

  /**
   * Requires that the named dimensions, agent and events exist, and that the amount fits the books (ledger L-69, L-2).
   */
  async requireRows(tx: Transaction, given: EventToRecord): Promise<void> {
    // No operation creates dimensions yet, so every id of one is wrong.
    const [dimension] = given.dimension_ids;
    if (dimension !== undefined) throw notInGraph('dimension_ids', dimension);
    if (given.agent_id !== null && (await this.#agents.find(tx, given.agent_id)) === undefined)
      throw notInGraph('agent_id', given.agent_id);
    await this.requireEvents(tx, given);
    await requireCapacityForAmount(tx, given);
  }

  /** Requires that the events to which an event is linked exist in this graph (ledger L-69). */
  async requireEvents(tx: Transaction, given: EventLinks): Promise<void> {
    const links = Object.entries({
      obligated_by_event_id: given.obligated_by_event_id,
      discharges_event_id: given.discharges_event_id,
    });
    const wanted = links.flatMap(([, id]) => (id === null ? [] : [id]));
    const present = wanted.length === 0 ? new Set<string>() : await this.#events.present(tx, wanted);
    for (const [name, id] of links) if (id !== null && !present.has(id)) throw notInGraph(name, id);
  }

  /** The accounts with these ids, by id. */
  findAccounts(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, PostedAccount>> {
    return this.#chart.find(tx, ids);
  }

  /** Requires that the accounts of lines exist and can be posted to (ledger L-47). */
  async requireAccounts(tx: Transaction, plan: Postable, currency: string): Promise<void> {
    const ids = accountsOf(plan);
    requirePostable(await this.#chart.find(tx, ids), ids, plan, currency);
  }
}

/** The accounts that an event and its plan name. */
export function accountsNamed(
  given: Pick<EventToRecord, 'resource_element_id'>,
  plan: JournalPlan | undefined,
): readonly string[] {
  const named = given.resource_element_id === null ? [] : [given.resource_element_id];
  return [...new Set([...accountsOf(plan), ...named])];
}

/**
 * Requires that the account named by the event exists, and that those of its plan can be posted to (ledger L-69, L-47).
 * Returns those that the plan reduces and that may not fall below zero (L-213).
 */
export function requireNamedAccounts(
  accounts: ReadonlyMap<string, PostedAccount>,
  given: Pick<EventToRecord, 'resource_element_id' | 'currency'>,
  plan: JournalPlan | undefined,
): readonly LimitedAccount[] {
  if (given.resource_element_id !== null && !accounts.has(given.resource_element_id))
    throw notInGraph('resource_element_id', given.resource_element_id);
  if (plan === undefined) return [];
  requirePostable(accounts, accountsOf(plan), plan, given.currency);
  return limitedAmong(accounts, plan, given.currency);
}

function notInGraph(field: string, id: string): ServiceError {
  return invalidInput(`${field}: '${id}' was not found in this graph.`);
}

/** Requires that every entry balances, and that no transaction exceeds what JSON carries exactly (ledger L-46, L-2). */
function requireBalanced(plan: JournalPlan): void {
  for (const [index, entry] of plan.entries.entries()) {
    const problem = problemOfLines(entry.lines);
    if (problem === undefined) continue;
    const message = plan.entries.length === 1 ? problem : `Entry ${index}: ${problem}`;
    const { debit, credit } = totals(entry.lines);
    throw debit === credit ? invalidInput(message) : bookingRefusal('unbalanced_entry', message);
  }
  if (plan.oneTransactionEach === true) return;
  const total = plan.entries.reduce((sum, entry) => sum + totals(entry.lines).debit, 0n);
  if (total > BigInt(maxAmount)) throw invalidInput(`The total of the entries is above ${maxAmount} minor units`);
}

/** The event in the form that handlers receive. */
function handledEvent(event: PlannableEvent): HandledEvent {
  return {
    id: event.id,
    eventType: event.event_type,
    eventCategory: event.event_category,
    occurredAt: instantText(event.occurred_at),
    effectiveAt: event.effective_at === null ? null : instantText(event.effective_at),
    source: event.source,
    externalId: event.external_id,
    amount: event.amount,
    currency: event.currency,
    description: event.description,
    agentId: event.agent_id,
    resourceType: event.resource_type,
    resourceElementId: event.resource_element_id,
    metadata: event.metadata,
  };
}

function instantText(instant: string | Date): string {
  return typeof instant === 'string' ? instant : instant.toISOString();
}
