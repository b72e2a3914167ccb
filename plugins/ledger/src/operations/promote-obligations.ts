import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import { obligationSweep } from '../composition/schedule-tokens.ts';
import { PromoteObligationsResponse } from '../models/schedules.ts';

export default defineOperation({
  name: 'promote-obligations',
  summary: 'Promotes schedule obligations whose month is over, and drafts their entries.',
  role: 'member',
  openapi: { id: 'promote_obligations', tag: 'extensions_robo_ledger' },
  input: model('PromoteObligationsRequest', {
    dispatch_handlers: Type.Optional(Type.Boolean({ default: true })),
  }),
  output: PromoteObligationsResponse,
  services: { obligationSweep },
  stale: 'obligations_promoted',

  async handle({ input, ctx, use }) {
    const sweep = { now: ctx.now(), userId: ctx.caller.userId, drafts: input.dispatch_handlers ?? true };
    const result = await use.obligationSweep.run(ctx.tx, sweep);
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
