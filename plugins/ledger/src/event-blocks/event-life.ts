import type { LedgerEvent } from '../rows.gen.ts';
import { maxLongChars, problemOfMetadata, problemOfTexts } from '../values/index.ts';
import { fixedKeysIn } from './event-rules.ts';

/** The transitions that a caller may request from each status (ledger 5.3). */
const transitions: Readonly<Record<string, readonly string[]>> = {
  captured: ['classified', 'committed', 'voided', 'superseded'],
  classified: ['committed', 'pending', 'fulfilled', 'voided', 'superseded'],
  committed: ['pending', 'fulfilled', 'voided', 'superseded'],
  pending: ['fulfilled', 'voided', 'superseded'],
  fulfilled: ['voided', 'superseded'],
};

/** A requested change of an event; undefined and null leave a field as it is. */
export interface EventChange {
  readonly event_id: string;
  readonly transition_to: LedgerEvent['status'] | null;
  readonly superseded_by_id: string | null;
  /** Empty text clears it. */
  readonly description: string | null;
  /** An instant in UTC. */
  readonly effective_at: string | null;
  readonly metadata_patch: Readonly<Record<string, unknown>>;
  readonly event_action: string | null;
  readonly obligated_by_event_id: string | null;
  /** Empty text removes the link. */
  readonly discharges_event_id: string | null;
}

/** The event that is settled after the change; null for none (ledger L-75). */
export function settledAfter(
  change: Pick<EventChange, 'discharges_event_id'>,
  event: Pick<EventChange, 'discharges_event_id'>,
): string | null {
  return change.discharges_event_id === '' ? null : (change.discharges_event_id ?? event.discharges_event_id);
}

/** True for a status that an event cannot leave. */
export function isTerminal(status: string): boolean {
  return transitions[status] === undefined;
}

/** True for a status that retracts an event. */
export function isRetraction(status: string | null): boolean {
  return status === 'voided' || status === 'superseded';
}

/** True when a change has fields other than the status. */
export function hasCorrections(change: EventChange): boolean {
  const fields = [
    change.description,
    change.effective_at,
    change.event_action,
    change.obligated_by_event_id,
    change.discharges_event_id,
  ];
  return fields.some((field) => field !== null) || Object.keys(change.metadata_patch).length > 0;
}

/** Returns the first problem of a change that needs no lookup, or undefined. */
export function problemOfChange(
  event: { readonly status: string; readonly event_type: string; readonly metadata: EventChange['metadata_patch'] },
  change: EventChange,
): string | undefined {
  const { transition_to: target } = change;
  const allowed = transitions[event.status] ?? [];
  if (target !== null && !allowed.includes(target)) {
    const list = allowed.length === 0 ? 'none (terminal state)' : `[${allowed.join(', ')}]`;
    return `Cannot transition event from '${event.status}' to '${target}'. Allowed transitions: ${list}.`;
  }
  if (hasCorrections(change) && isTerminal(event.status))
    return `Event is ${event.status}; its fields can no longer be corrected.`;
  if (target === 'superseded' && change.superseded_by_id === null)
    return "transition_to='superseded' requires superseded_by_id.";
  if (target !== 'superseded' && change.superseded_by_id !== null)
    return "superseded_by_id is only for transition_to='superseded'.";
  for (const field of ['superseded_by_id', 'obligated_by_event_id', 'discharges_event_id'] as const) {
    if (change[field] === change.event_id) return `${field}: an event cannot be linked to itself.`;
  }
  const long =
    problemOfTexts({ description: change.description }, maxLongChars) ??
    problemOfMetadata('metadata_patch', change.metadata_patch, event.metadata);
  if (long !== undefined) return long;
  const maintained = fixedKeysIn(event, change.metadata_patch);
  return maintained.length === 0
    ? undefined
    : `metadata_patch cannot set system-maintained keys: ${maintained.join(', ')}`;
}
