import { defineOperation, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { bookWrites } from '../books.ts';

export default defineOperation({
  name: 'execute-event-block',
  summary: 'Publishes an event to the system that keeps the official books, where one is connected.',
  role: 'member',
  openapi: { id: 'execute_event_block', tag: 'extensions_robo_ledger' },
  input: model('ExecuteEventBlockRequest', {
    event_id: Type.String(),
    connection_id: Type.Optional(nullable(Type.String())),
  }),
  output: model('ExecuteEventBlockResponse', {
    event_id: Type.String(),
    status: Type.String(),
    qb_external_id: Type.Optional(nullable(Type.String())),
    qb_error: Type.Optional(nullable(openObject())),
  }),
  mcp: { hint: 'Publishes an event to the connected system that keeps the official books.', openWorld: true },
  services: { bookWrites },
  errors: {
    NOT_FOUND: 'No event of this graph has the id.',
    EVENT_RETRACTED: { kind: 'conflict', meaning: 'The event was voided or superseded.' },
    INVALID_INPUT: 'The month of the event is closed, or the connection does not belong to this graph.',
  },

  async handle({ input, ctx, use }) {
    const published = await use.bookWrites.publisher.publish(
      ctx.tx,
      input.event_id,
      input.connection_id ?? null,
      ctx.now(),
    );
    return { ...published, qb_error: null };
  },
});
