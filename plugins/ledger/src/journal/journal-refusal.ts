import { invalidInput, ServiceError, StoreError } from '@pacioli/core';
import { closedPeriod } from './closed-months.ts';
import type { JournalPlan } from './journal-plan.ts';

/** A reason to refuse the write of an event and its journal. */
export type Refusal =
  | { readonly kind: 'duplicate'; readonly eventId: string }
  /** `begins` is the first month of the calendar. */
  | { readonly kind: 'closed'; readonly period: string; readonly begins: string | null }
  | { readonly kind: 'no-transaction' }
  | { readonly kind: 'other-currency'; readonly currency: string };

/** Turns a reason why the statement wrote nothing into the error of the caller, with the next step. */
export function refusalError(
  refusal: Refusal,
  event: { readonly currency: string },
  plan: JournalPlan | undefined,
): ServiceError {
  if (refusal.kind === 'duplicate') return duplicateEvent(refusal.eventId);
  if (refusal.kind === 'no-transaction')
    return invalidInput(`metadata.transaction_id: transaction '${plan?.transactionId}' was not found in this graph.`);
  if (refusal.kind === 'other-currency') {
    return invalidInput(
      `metadata.transaction_id: transaction '${plan?.transactionId}' is in ${refusal.currency}; entry is in ${event.currency}`,
    );
  }
  const date = plan?.entries.map((entry) => entry.postingDate).find((day) => day.startsWith(refusal.period));
  return closedPeriod(refusal.period, date ?? refusal.period, refusal.begins);
}

/** The error for a duplicate; a header carries the id of the existing event (ledger L-83). */
export function duplicateEvent(eventId: string): ServiceError {
  return new ServiceError('conflict', 'ALREADY_EXISTS', 'Event already ingested for this source and external_id', {
    headers: { 'X-Existing-Event-Id': eventId },
  });
}

/** Runs a write of the journal; rejects an entry that another caller has reversed in the meantime (ledger L-61). */
export async function rejectingReversed<Outcome>(write: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof StoreError && error.constraint === 'ledger_entry_reversal') {
      throw invalidInput('Journal entry already has a reversing entry; an entry is reversed at most once.');
    }
    throw error;
  }
}
