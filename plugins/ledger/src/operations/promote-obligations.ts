import { defineOperation, mapOf, model } from '@pacioli/core';
import { Type } from 'typebox';
import { scheduling } from '../books.ts';

const PromoteObligationsResponse = model('PromoteObligationsResponse', {
  classified_count: Type.Integer(),
  dispatched_count: Type.Integer(),
  error_count: Type.Integer(),
  stranded_count: Type.Optional(Type.Integer({ default: 0 })),
  classified_event_ids: Type.Optional(Type.Array(Type.String())),
  stranded_event_ids: Type.Optional(Type.Array(Type.String())),
  errors: Type.Optional(Type.Array(mapOf(Type.String()))),
});

export default defineOperation({
  name: 'promote-obligations',
  summary: 'Promotes schedule obligations whose month is over, and drafts their entries.',
  role: 'member',
  openapi: { id: 'promote_obligations', tag: 'extensions_robo_ledger' },
  input: model('PromoteObligationsRequest', {
    dispatch_handlers: Type.Optional(Type.Boolean({ default: true })),
  }),
  output: PromoteObligationsResponse,
  mcp: {
    hint: 'Drafts the entries of schedules whose month is over; a step before closing a month.',
    idempotent: true,
  },
  services: { scheduling },
  stale: 'obligations_promoted',

  async handle({ input, ctx, use }) {
    const sweep = { now: ctx.now(), userId: ctx.caller.userId, drafts: input.dispatch_handlers ?? true };
    const result = await use.scheduling.sweep.run(ctx.tx, sweep);
    return {
      classified_count: result.classified.length,
      dispatched_count: result.dispatchedCount,
      error_count: result.errors.length,
      stranded_count: result.stranded.length,
      classified_event_ids: [...result.classified],
      stranded_event_ids: [...result.stranded],
      errors: result.errors.map((error) => ({ ...error })),
    };
  },
});
