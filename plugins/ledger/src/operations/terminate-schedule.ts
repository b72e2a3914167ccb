import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import { scheduling } from '../books.ts';
import { requireTextWithinLimit } from '../values/index.ts';

const TerminateScheduleResponse = model('TerminateScheduleResponse', {
  structure_id: Type.String(),
  name: Type.String(),
  new_end_date: Type.String({ format: 'date' }),
  facts_deleted: Type.Integer(),
  obligations_voided: Type.Integer(),
  rule_updated: Type.Boolean(),
  reason: Type.String(),
});

export default defineOperation({
  name: 'terminate-schedule',
  summary: 'Ends a schedule early, at a month end: deletes later facts and drafts, voids obligations, posts nothing.',
  role: 'member',
  openapi: { id: 'terminate_schedule', tag: 'extensions_robo_ledger' },
  input: model('TerminateScheduleRequest', {
    structure_id: Type.String(),
    new_end_date: Type.String({ format: 'date' }),
    reason: Type.String(),
  }),
  output: TerminateScheduleResponse,
  mcp: {
    hint: 'Ends a schedule early at a month end, for example after a disposal.',
    destructive: true,
    confirmation: 'Ends the schedule: its later facts and drafts are deleted.',
  },
  services: { scheduling },
  stale: 'schedule_terminated',
  errors: {
    NOT_FOUND: 'No schedule has this id.',
    INVALID_INPUT:
      'The date is not a month end of the schedule, later entries are posted, a disposal ended it, or reason is blank.',
  },

  async handle({ input, ctx, use }) {
    requireTextWithinLimit({ reason: input.reason });
    const request = { structureId: input.structure_id, newEndDate: input.new_end_date, reason: input.reason };
    return use.scheduling.changes.terminate({ tx: ctx.tx, userId: ctx.caller.userId, now: ctx.now() }, request);
  },
});
