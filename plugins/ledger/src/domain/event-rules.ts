/** The categories of each class of event that a caller may record (ledger 5.1). */
const categories: Readonly<Record<string, readonly string[]>> = {
  economic: ['sales', 'purchase', 'financing', 'payroll', 'treasury', 'adjustment', 'recognition', 'other'],
  support: ['control', 'approval', 'reconciliation', 'inquiry'],
};

/** Types that only their own operation writes (ledger L-67). */
const reserved: ReadonlySet<string> = new Set([
  'reconciliation_signed_off',
  'reconciliation_policy_changed',
  'balance_observed',
]);

/** The anchor of a schedule comes from no other source (ledger L-67). */
const scheduleAnchor = 'schedule_created';

/** Characters of an external id: it is the key of an index, whose entries have a size. */
const externalId_chars_max = 500;

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

export interface EventRequest {
  readonly eventType: string;
  readonly eventClass: string;
  readonly eventCategory: string;
  readonly source: string;
  readonly externalId: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly appliesHandlers: boolean;
}

/** What is wrong with an event before anything is looked up, in the order of ledger L-82; undefined when nothing is. */
export function problemOfEvent(event: EventRequest): string | undefined {
  if (!(categories[event.eventClass] ?? []).includes(event.eventCategory)) {
    return `event_category '${event.eventCategory}' is not valid for event_class '${event.eventClass}'`;
  }
  if (!/^[A-Za-z0-9_.:-]{1,100}$/.test(event.eventType))
    return 'event_type: 1 to 100 letters, digits or one of _ . : - are needed';
  if (event.eventClass === 'support' && event.appliesHandlers)
    return `A support event never creates entries; send it with apply_handlers=false`;
  if (reserved.has(event.eventType) || (event.eventType === scheduleAnchor && event.source !== 'schedule'))
    return `event_type='${event.eventType}' is written only by its own operation`;
  if ((event.externalId?.length ?? 0) > externalId_chars_max)
    return `external_id: at most ${externalId_chars_max} characters are taken`;
  const maintained = systemKeysIn(event.metadata);
  return maintained.length === 0 ? undefined : `metadata cannot set system-maintained keys: ${maintained.join(', ')}`;
}

/** The keys of metadata that only the system sets (ledger L-76). */
export function systemKeysIn(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(metadata).filter((key) => protectedKeys.has(key) || key.startsWith('dispatch_'));
}
