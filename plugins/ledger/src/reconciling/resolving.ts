import { invalidInput, type ServiceError } from '@pacioli/core';
import { debitsAdded, type JournalDecision } from '../journal/index.ts';
import type { ReconcilingPlan } from './reconciling-planner.ts';

/** The ways to settle a difference: new entries, an entry of the difference, or no entry (ledger L-140 to L-142). */
export type Disposition = 'restate' | 'catch_up' | 'acknowledge';

/** A decision about a difference, before the journal is locked for it. */
export interface Resolving extends JournalDecision {
  readonly plan: ReconcilingPlan;
  readonly disposition: Disposition;
  readonly postingDate: string | null;
}

/** The facts behind a decision that other callers could have changed. */
export function comparedOf({ plan, dates }: Resolving): object {
  const delta = plan.delta.map(({ elementId, externalId, prior, accepted }) => [
    elementId,
    externalId,
    prior,
    accepted,
  ]);
  return { priorEntries: plan.priorEntries, delta, dates };
}

export function decisionOf(plan: ReconcilingPlan, disposition: Disposition, postingDate: string | null): Resolving {
  const decision = { subject: `Event ${plan.event.id}`, plan, disposition, postingDate, locksRows: true };
  const { currency } = plan.accepted;
  // The settlements of the event may change, which a close of the month of its drafts must not meet.
  const changed = plan.priorEntries.map((entry) => entry.posting_date);
  if (disposition === 'acknowledge') return { ...decision, dates: { followed: changed } };
  if (disposition === 'catch_up') {
    // Recording the event of the difference checks its month.
    const dates = { followed: [...changed, ...(postingDate === null ? [] : [postingDate])] };
    return { ...decision, dates, debits: { amount: catchUpDebits(plan), currency } };
  }
  const insteadOf = plan.priorEntries.map(({ id }) => id);
  return {
    ...decision,
    dates: {
      entries: plan.acceptedEntries.map((entry) => entry.postingDate),
      changed,
    },
    debits: { amount: debitsAdded({ entries: plan.acceptedEntries }), currency, insteadOf },
  };
}

/** Rejects a disposition that the entries do not allow. */
export function requirePossible({ plan, disposition }: Resolving): void {
  if (disposition === 'restate' && plan.blockers.length > 0)
    throw invalidInput(`Event ${plan.event.id} cannot be restated: ${plan.blockers.join('; ')}. Use catch_up.`);
  if (disposition !== 'acknowledge' && plan.unmapped.length > 0) throw unmapped(plan);
}

/** The debits of the entry that books the difference. */
function catchUpDebits(plan: ReconcilingPlan): bigint {
  return plan.delta.reduce((sum, { delta }) => (delta > 0n ? sum + delta : sum), 0n);
}

function unmapped(plan: ReconcilingPlan): ServiceError {
  return invalidInput(`Accounts of the source are not mapped: [${plan.unmapped.join(', ')}]. Map them first.`);
}
