import { invalidInput, ServiceError, type Transaction } from '@pacioli/core';
import {
  debitsAdded,
  type HandledEvent,
  type JournalDecision,
  type JournalPlan,
  type WorkDates,
} from '../journal/index.ts';
import type { EventHandler, PlanWork } from './event-handler.ts';
import type { TenantRules } from './handlers/tenant-rules.ts';

/**
 * Plans the journal of an event: built-in handlers first, then the rules of the tenant (ledger L-86). A plan is plain
 * data, so its handler is found again to lock and to apply it.
 */
export class EventDispatch {
  readonly #builtIn: ReadonlyMap<string, EventHandler>;
  readonly #rules: TenantRules;

  constructor(parts: { readonly handlers: readonly EventHandler[]; readonly rules: TenantRules }) {
    this.#builtIn = new Map(parts.handlers.map((handler) => [handler.key, handler]));
    this.#rules = parts.rules;
  }

  /** The built-in handler of an event type. */
  builtIn(eventType: string): EventHandler | undefined {
    return this.#builtIn.get(eventType);
  }

  /** Undefined when no handler matches. A tie between rules is a conflict (ledger L-109). */
  async plan(tx: Transaction, event: HandledEvent, now: Date): Promise<JournalPlan | undefined> {
    const handler = this.#builtIn.get(event.eventType);
    const plan = await handler?.plan({ tx, event, today: now.toISOString().slice(0, 10) });
    if (plan !== undefined) return plan;
    const choice = await this.#rules.choose(tx, event);
    if (choice?.kind === 'one') {
      const ruled = await this.#rules.plan(tx, event, choice.handler);
      return handler?.eventMetadata === undefined ? ruled : { ...ruled, eventMetadata: handler.eventMetadata };
    }
    if (choice === undefined && handler === undefined) return undefined;
    // A bank line without a chosen account requires exactly one rule (ledger L-95).
    if (choice === undefined)
      throw invalidInput(
        `No account was chosen for this ${event.eventType}, and no active handler matches it. Send metadata classified_element_id or classified_allocations.`,
      );
    const [first] = choice.among;
    const tie = `Ambiguous handlers for event_type='${event.eventType}': multiple rows share priority ${first?.priority}: [${choice.among
      .map(({ name }) => name)
      .join(', ')}]. Assign unique priorities to disambiguate.`;
    throw handler === undefined ? new ServiceError('conflict', 'AMBIGUOUS_HANDLERS', tie) : invalidInput(tie);
  }

  /** True when the handler of the plan locks rows of its own. */
  locksRows(eventType: string, plan: JournalPlan | undefined): boolean {
    return plan?.effect !== undefined && this.#builtIn.get(eventType)?.lockFirst !== undefined;
  }

  /** Locks the rows that the plan needs besides its event; before any event is locked (ledger L-150). */
  async lockRows(tx: Transaction, eventType: string, plan: JournalPlan | undefined): Promise<void> {
    if (plan?.effect === undefined) return;
    await this.#builtIn.get(eventType)?.lockFirst?.(tx, plan.effect);
  }

  /** Applies the plan beyond the entries that the journal writes; the row of its event is written. */
  async apply(work: PlanWork, eventType: string, plan: JournalPlan): Promise<void> {
    const handler = this.#builtIn.get(eventType);
    if (plan.writtenBy === 'handler') {
      // The journal leaves the entries of such a plan to its handler, so they would be lost.
      if (plan.effect === undefined || handler?.apply === undefined)
        throw new Error(`The handler of ${eventType} plans to write entries itself, but has no effect or no apply.`);
      await handler.apply(work, plan.effect);
    }
    if (plan.effect !== undefined) await handler?.followUp?.(work, plan.effect);
  }
}

/** The days to which a plan writes, and those that it only locks. */
export function datesOfPlan(plan: JournalPlan | undefined): WorkDates {
  if (plan === undefined) return {};
  const days = plan.entries.map((entry) => entry.postingDate);
  const also = plan.alsoDated ?? [];
  const followed = plan.alsoLocked ?? [];
  // The journal statement checks the months of the entries that it writes; `writeJournal` those that a handler writes.
  return plan.writtenBy === 'handler'
    ? { added: [...days, ...also], followed }
    : { entries: days, added: also, followed };
}

/** The debits that the entries of a plan add to the books. */
export function debitsOfPlan(plan: JournalPlan | undefined, currency: string): JournalDecision['debits'] {
  return plan === undefined ? undefined : { amount: debitsAdded(plan), currency };
}
