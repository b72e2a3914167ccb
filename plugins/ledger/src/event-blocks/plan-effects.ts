import type { Transaction } from '@pacioli/core';
import { debitsAdded, type JournalDecision, type JournalPlan, type WorkDates } from '../journal/index.ts';
import type { EventDispatch } from './event-dispatch.ts';
import type { PlanWork } from './event-handler.ts';

/** Runs the behavior of the handlers behind plans, which are plain data. */
export class PlanEffects {
  readonly #dispatch: EventDispatch;

  constructor(dispatch: EventDispatch) {
    this.#dispatch = dispatch;
  }

  /** True when the handler of the plan locks rows of its own. */
  locksRows(eventType: string, plan: JournalPlan | undefined): boolean {
    return plan?.effect !== undefined && this.#dispatch.builtIn(eventType)?.lockFirst !== undefined;
  }

  /** Locks the rows that the plan needs besides its event; before any event is locked (ledger L-150). */
  async lockRows(tx: Transaction, eventType: string, plan: JournalPlan | undefined): Promise<void> {
    if (plan?.effect === undefined) return;
    await this.#dispatch.builtIn(eventType)?.lockFirst?.(tx, plan.effect);
  }

  /** Applies the plan beyond the entries that the journal writes; the row of its event is written. */
  async apply(work: PlanWork, eventType: string, plan: JournalPlan): Promise<void> {
    const handler = this.#dispatch.builtIn(eventType);
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
