import { defineOperation, invalidInput } from '@pacioli/core';
import { utcInstant } from '../domain/instants.ts';
import { eventRecorder } from '../internal-tokens.ts';
import { CreateEventBlockRequest, EventBlockEnvelope } from '../models/event-block.ts';

export default defineOperation({
  name: 'create-event-block',
  summary: 'Records what happened, and with apply_handlers writes the journal entries that follow from it.',
  need: 'member',
  openapi: { id: 'create_event_block', tag: 'extensions_robo_ledger' },
  input: CreateEventBlockRequest,
  output: EventBlockEnvelope,
  needs: { eventRecorder },
  stale: 'event_block_created',
  mcp: {
    tool: 'create_event_block',
    hint: 'Records a business event. A journal entry is event_type journal_entry_recorded with its lines in metadata.',
  },
  errors: {
    ALREADY_EXISTS:
      'An event with this source and external_id is there already; its id is in the header X-Existing-Event-Id.',
    NO_EVENT_HANDLER: 'Nothing knows what this event type does to the journal.',
    INVALID_INPUT: 'The event, its entries, its accounts or its period do not allow it; the text says which.',
  },

  async handle({ input, ctx, use }) {
    const { event } = await use.eventRecorder.record(
      ctx.tx,
      {
        event_type: input.event_type,
        event_class: input.event_class ?? 'economic',
        event_category: input.event_category,
        event_action: input.event_action ?? null,
        occurred_at: instantOf('occurred_at', input.occurred_at),
        effective_at: input.effective_at == null ? null : instantOf('effective_at', input.effective_at),
        source: input.source,
        external_id: input.external_id ?? null,
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
      },
      { userId: ctx.caller.userId, now: ctx.now() },
    );
    return {
      ...event,
      metadata: { ...event.metadata },
      dimension_ids: [...event.dimension_ids],
      event_action: input.event_action ?? null,
      is_reconciling_item: false,
      replaced_by_event_id: null,
      replaces_event_id: null,
    };
  },
});

function instantOf(field: string, text: string): string {
  const instant = utcInstant(text);
  if (instant === undefined) throw invalidInput(`${field}: '${text}' is no instant between the years 1 and 9999.`);
  return instant;
}
