import { invalidInput, ServiceError, type Transaction } from '@pacioli/core';
import type { HandledEvent, JournalPlan } from '../journal/index.ts';
import type { EventHandler } from './event-handler.ts';
import type { TenantRules } from './handlers/tenant-rules.ts';

/** Plans the journal of an event: built-in handlers first, then the rules of the tenant (ledger L-86). */
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
}
