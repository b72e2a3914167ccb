import { agentTypes } from '../parties/index.ts';
import { maxLongChars, maxShortChars, problemOfLinks, problemOfMetadata, problemOfTexts } from '../values/index.ts';

/** The categories of each class of event that a caller may record (ledger 5.1). */
const ofClass = {
  economic: ['sales', 'purchase', 'financing', 'payroll', 'treasury', 'adjustment', 'recognition', 'other'],
  support: ['control', 'approval', 'reconciliation', 'inquiry'],
} as const;

const categories: Readonly<Record<string, readonly string[]>> = ofClass;

type EventCategory = (typeof ofClass)[keyof typeof ofClass][number];

/** The class of events of a category; events of the class `support` never have entries. */
export function classOf(category: EventCategory): keyof typeof ofClass {
  return ofClass.support.some((each) => each === category) ? 'support' : 'economic';
}

/** The kinds of resource that an event can concern (ledger 5.1). */
export const resourceTypes = ['goods', 'information', 'labor', 'money', 'obligation', 'right', 'services'] as const;

/** Types that only their own operation writes (ledger L-67). */
const reserved: ReadonlySet<string> = new Set([
  'reconciliation_signed_off',
  'reconciliation_policy_changed',
  'balance_observed',
]);

/** The anchor of a schedule, accepted only from the source `schedule` (ledger L-67). */
const scheduleAnchor = 'schedule_created';

/** Metadata that the system maintains (ledger L-76). */
const protectedKeys: ReadonlySet<string> = new Set([
  'qb_entry_ids',
  'qb_external_id',
  'routed_via',
  'last_outbound_error',
  'qb_sync_token',
  'drift_detected_at',
  'drift_payload',
  'drift_header',
  'reconciliation_history',
]);

/** Metadata on which a schedule was computed, by event type; fixed once the event is executed (ledger L-76, L-188). */
const executedKeys: Readonly<Record<string, readonly string[]>> = {
  asset_disposed: ['schedule_id', 'proceeds', 'proceeds_element_id', 'gain_loss_element_id'],
  [scheduleAnchor]: ['schedule_id', 'void_history'],
};

/** Statuses of events that have not been executed. */
const isBeforeExecution: ReadonlySet<string> = new Set(['captured', 'classified']);

export interface EventRequest {
  readonly eventType: string;
  readonly eventClass: string;
  readonly eventCategory: string;
  readonly source: string;
  readonly externalId: string | null;
  readonly externalUrl: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly appliesHandlers: boolean;
}

/** Returns the first problem of an event that needs no lookup, in the order of ledger L-82, or undefined. */
export function problemOfEvent(event: EventRequest): string | undefined {
  if (!(categories[event.eventClass] ?? []).includes(event.eventCategory)) {
    return `event_category '${event.eventCategory}' is not valid for event_class '${event.eventClass}'`;
  }
  const problem = problemOfEventType(event.eventType);
  if (problem !== undefined) return problem;
  if (event.eventClass === 'support' && event.appliesHandlers)
    return `A support event never creates entries; send it with apply_handlers=false`;
  if (reserved.has(event.eventType) || (event.eventType === scheduleAnchor && event.source !== 'schedule'))
    return `event_type='${event.eventType}' is written only by its own operation`;
  const long =
    problemOfTexts({ external_id: event.externalId }, maxShortChars) ??
    problemOfTexts({ external_url: event.externalUrl, description: event.description }, maxLongChars) ??
    problemOfLinks({ external_url: event.externalUrl }) ??
    problemOfMetadata('metadata', event.metadata);
  if (long !== undefined) return long;
  const maintained = systemKeysIn(event.metadata);
  return maintained.length === 0 ? undefined : `metadata cannot set system-maintained keys: ${maintained.join(', ')}`;
}

/** Returns the problem of an event type's name (ledger L-67), or undefined. */
function problemOfEventType(eventType: string): string | undefined {
  return /^[A-Za-z0-9_.:-]{1,100}$/.test(eventType)
    ? undefined
    : 'event_type: 1 to 100 characters are required: letters, digits and _ . : -';
}

/** The event filters of a tenant's rule; null matches any. */
export interface MatchFields {
  readonly eventCategory: string | null;
  readonly agentType: string | null;
  readonly resourceType: string | null;
}

/** Returns the problem of the event type of a tenant's rule (ledger L-67, L-86, L-110), or undefined. */
export function problemOfRuledType(eventType: string, isBuiltIn: boolean): string | undefined {
  const problem = problemOfEventType(eventType);
  if (problem !== undefined) return problem;
  if (reserved.has(eventType) || eventType === scheduleAnchor)
    return `event_type='${eventType}' is written only by its own operation; handlers do not apply.`;
  return isBuiltIn
    ? `event_type='${eventType}' has a built-in handler; other handlers do not apply. Use a type of your own.`
    : undefined;
}

/** Returns the first filter of a tenant's rule that no event can match (ledger 5.1, L-32, L-107), or undefined. */
export function problemOfMatch(match: MatchFields): string | undefined {
  return (
    unknownWord('event_category', match.eventCategory, categories['economic'] ?? []) ??
    unknownWord('match_agent_type', match.agentType, agentTypes) ??
    unknownWord('match_resource_type', match.resourceType, resourceTypes)
  );
}

function unknownWord(field: string, value: string | null, known: readonly string[]): string | undefined {
  if (value === null || known.includes(value)) return undefined;
  return `${field}: '${value}' is not one of [${known.join(', ')}], so no event with entries could match.`;
}

/** The keys of metadata that only the system sets (ledger L-76). */
export function systemKeysIn(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(metadata).filter((key) => protectedKeys.has(key) || key.startsWith('dispatch_'));
}

/** The metadata keys that a change must not set: those of the system, and those fixed by the execution of the event. */
export function fixedKeysIn(
  event: { readonly event_type: string; readonly status: string },
  patch: Readonly<Record<string, unknown>>,
): readonly string[] {
  const keysOfExecution = isBeforeExecution.has(event.status) ? [] : (executedKeys[event.event_type] ?? []);
  return [...systemKeysIn(patch), ...keysOfExecution.filter((key) => Object.hasOwn(patch, key))];
}
