import { defineOperation, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { bookWrites } from '../books.ts';
import { CreateEventBlockRequest } from '../models/event-block.ts';
import { EventHandlerResponse, handlerView } from '../models/event-handler.ts';
import { eventToRecord } from '../models/event-view.ts';

export default defineOperation({
  name: 'preview-event-block',
  summary: 'Shows what recording an event would do, or why it would be refused; writes nothing.',
  // A viewer may call it, because it stores nothing (platform P-11).
  role: 'viewer',
  openapi: { id: 'preview_event_block', tag: 'extensions_robo_ledger' },
  input: CreateEventBlockRequest,
  output: model('PreviewEventBlockResponse', {
    would_succeed: Type.Boolean(),
    matched_handler: Type.Optional(nullable(EventHandlerResponse)),
    planned_transactions: Type.Optional(
      Type.Array(
        model('TransactionPreview', {
          entry_index: Type.Integer(),
          debit_element_id: Type.String(),
          credit_element_id: Type.String(),
          amount_cents: Type.Integer(),
          interpolated_debit_amount: Type.String(),
          interpolated_credit_amount: Type.String(),
        }),
      ),
    ),
    validation_errors: Type.Optional(Type.Array(Type.String())),
    handler_metadata: Type.Optional(openObject()),
  }),
  services: { bookWrites },
  mcp: { hint: 'Checks an event before it is recorded. Nothing is written.', isRead: true },

  async handle({ input, ctx, use }) {
    const by = { userId: ctx.caller.userId, now: ctx.now() };
    const preview = await use.bookWrites.preview.preview(ctx.tx, eventToRecord(input), by);
    return {
      would_succeed: preview.would_succeed,
      matched_handler: preview.matched_handler === null ? null : handlerView(preview.matched_handler),
      planned_transactions: [...preview.planned_transactions],
      validation_errors: [...preview.validation_errors],
      handler_metadata: { ...preview.handler_metadata },
    };
  },
});
