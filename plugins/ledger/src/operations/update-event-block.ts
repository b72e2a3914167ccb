import { defineOperation, instant, model, nullable, oneOf, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { bookWrites } from '../books.ts';
import { EventBlockEnvelope, eventActions } from '../models/event-block.ts';
import { eventView, instantOf } from '../models/event-view.ts';

const text = () => Type.Optional(nullable(Type.String()));

const UpdateEventBlockRequest = model('UpdateEventBlockRequest', {
  event_id: Type.String(),
  transition_to: Type.Optional(
    nullable(oneOf(['classified', 'committed', 'fulfilled', 'pending', 'superseded', 'voided'])),
  ),
  superseded_by_id: text(),
  description: text(),
  effective_at: Type.Optional(nullable(instant())),
  metadata_patch: Type.Optional(openObject()),
  event_action: Type.Optional(nullable(oneOf(eventActions))),
  obligated_by_event_id: text(),
  discharges_event_id: text(),
});

export default defineOperation({
  name: 'update-event-block',
  summary: 'Moves an event to its next status, or corrects its fields; omitted fields are left unchanged.',
  role: 'member',
  openapi: { id: 'update_event_block', tag: 'extensions_robo_ledger' },
  input: UpdateEventBlockRequest,
  output: EventBlockEnvelope,
  mcp: { hint: 'Moves an event to its next status or corrects its fields; omitted fields stay.' },
  services: { bookWrites },
  stale: 'event_block_updated',
  errors: {
    NOT_FOUND: 'No event of this graph has the id, or the id of the event that replaces it.',
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another caller changed the event first; send the request again.' },
    BALANCE_BELOW_ZERO: {
      kind: 'invalid_input',
      meaning: 'An account with `no_negative` would fall below zero; `details` has its id.',
    },
    INVALID_INPUT:
      'The status, the links, the metadata, the entries or the period do not allow it; the message says which.',
  },

  async handle({ input, ctx, use }) {
    const change = {
      event_id: input.event_id,
      transition_to: input.transition_to ?? null,
      superseded_by_id: input.superseded_by_id ?? null,
      description: input.description ?? null,
      effective_at: input.effective_at == null ? null : instantOf('effective_at', input.effective_at),
      metadata_patch: input.metadata_patch ?? {},
      event_action: input.event_action ?? null,
      obligated_by_event_id: input.obligated_by_event_id ?? null,
      discharges_event_id: input.discharges_event_id ?? null,
    };
    const by = { userId: ctx.caller.userId, now: ctx.now() };
    return eventView(await use.bookWrites.updater.update(ctx.tx, change, by));
  },
});
