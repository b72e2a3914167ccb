import { invalidInput, type TypeOf } from '@pacioli/core';
import type { EventRow, EventToRecord } from '../event-blocks/index.ts';
import { normalizedText } from '../values/index.ts';
import type { CreateEventBlockRequest, EventAction } from './event-block.ts';

/** An event as the wire shows it: instants in UTC, dimensions sorted (ledger L-80). */
export function eventView(row: EventRow) {
  return {
    ...row,
    // The store holds only the verbs that the request allows.
    event_action: row.event_action as EventAction | null,
    metadata: { ...row.metadata },
    occurred_at: row.occurred_at.toISOString(),
    effective_at: row.effective_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    dimension_ids: [...row.dimension_ids].sort(),
  };
}

/** The event that a request describes, with defaults for omitted fields. */
export function eventToRecord(input: TypeOf<typeof CreateEventBlockRequest>): EventToRecord {
  return {
    event_type: input.event_type,
    event_class: input.event_class ?? 'economic',
    event_category: input.event_category,
    event_action: input.event_action ?? null,
    occurred_at: instantOf('occurred_at', input.occurred_at),
    effective_at: input.effective_at == null ? null : instantOf('effective_at', input.effective_at),
    source: input.source,
    external_id: normalizedText(input.external_id),
    external_url: input.external_url ?? null,
    amount: input.amount ?? null,
    currency: input.currency ?? 'USD',
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    dimension_ids: input.dimension_ids ?? [],
    agent_id: input.agent_id ?? null,
    resource_type: input.resource_type ?? null,
    resource_element_id: input.resource_element_id ?? null,
    obligated_by_event_id: input.obligated_by_event_id ?? null,
    discharges_event_id: input.discharges_event_id ?? null,
    apply_handlers: input.apply_handlers ?? false,
  };
}

/** Parses an instant to UTC; rejects invalid text (ledger L-6). */
export function instantOf(field: string, text: string): string {
  const instant = utcInstant(text);
  if (instant === undefined) throw invalidInput(`${field}: '${text}' is not an instant between the years 1 and 9999.`);
  return instant;
}

/** Parses an instant to UTC; text without an offset is UTC (ledger L-6). Returns undefined when it is invalid. */
export function utcInstant(text: string): string | undefined {
  const [, day, time, offset] = /^(\d{4}-\d{2}-\d{2})[T\s](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(.*)$/i.exec(text.trim()) ?? [];
  if (day === undefined || time === undefined || offset === undefined) return undefined;
  const instant = new Date(`${day}T${time}${zoneOf(offset)}`);
  // Rejects days and seconds that do not exist, such as leap seconds, and years that the store cannot hold.
  if (Number.isNaN(instant.getTime())) return undefined;
  const iso = instant.toISOString();
  return /^(?!0000)\d{4}-/.test(iso) ? iso : undefined;
}

/** An offset as `Date` reads it: hours and minutes with a colon between them. */
function zoneOf(offset: string): string {
  if (offset === '' || offset.toUpperCase() === 'Z') return 'Z';
  const [, hours, minutes] = /^([+-]\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  return hours === undefined ? offset : `${hours}:${minutes ?? '00'}`;
}
