import { defineOperation } from '@pacioli/core';
import { books, bookWrites } from '../books.ts';
import { CreateEventBlockRequest, EventBlockEnvelope } from '../models/event-block.ts';
import { eventToRecord, eventView } from '../models/event-view.ts';

export default defineOperation({
  name: 'create-event-block',
  summary: 'Records a business event and, with apply_handlers, writes the resulting journal entries.',
  role: 'member',
  openapi: { id: 'create_event_block', tag: 'extensions_robo_ledger' },
  input: CreateEventBlockRequest,
  output: EventBlockEnvelope,
  services: { books, bookWrites },
  stale: 'event_block_created',
  mcp: {
    hint: 'Records a business event. A journal entry is event_type journal_entry_recorded with its lines in metadata.',
  },
  errors: {
    ALREADY_EXISTS:
      'An event with this source and external_id already exists; its id is in the header X-Existing-Event-Id.',
    BALANCE_BELOW_ZERO: {
      kind: 'invalid_input',
      meaning: 'An account with `no_negative` would fall below zero; `details` has its id.',
    },
    AMBIGUOUS_HANDLERS: { kind: 'conflict', meaning: 'Two handlers of the event have the same priority.' },
    NO_EVENT_HANDLER: { kind: 'not_found', meaning: 'No handler matches the event.' },
    INVALID_INPUT: 'The event, its entries, its accounts or its period are not valid; the message says which.',
  },

  async handle({ input, ctx, use }) {
    const { event } = await use.bookWrites.recorder.record(ctx.tx, eventToRecord(input), {
      userId: ctx.caller.userId,
      now: ctx.now(),
    });
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

  // The log holds the event as it was recorded.
  async restoreResult({ call, use }) {
    const [eventId = ''] = call.ids['id'] ?? [];
    const event = await use.books.events.findRecorded(call.tx, eventId);
    return event && { ...eventView(event), dimension_ids: [...event.dimension_ids] };
  },
});
