import { defineOperation, mapOf, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { scheduling } from '../books.ts';

const ScheduleCreatedResponse = model('ScheduleCreatedResponse', {
  structure_id: Type.String(),
  name: Type.String(),
  taxonomy_id: Type.String(),
  total_periods: Type.Integer(),
  total_facts: Type.Integer(),
  rule_summary: Type.Optional(nullable(mapOf(Type.Integer()))),
  schedule_created_event_id: Type.Optional(nullable(Type.String())),
  pending_event_count: Type.Optional(Type.Integer({ default: 0 })),
});

export default defineOperation({
  name: 'rebuild-schedule',
  summary: 'Rebuilds the facts and open obligations of a schedule from its definition, as of the months closed now.',
  role: 'member',
  openapi: { id: 'rebuild_schedule', tag: 'extensions_robo_ledger' },
  input: model('RebuildScheduleRequest', { structure_id: Type.String() }),
  output: ScheduleCreatedResponse,
  mcp: {
    hint: 'Computes the open months of a schedule anew after its terms have changed.',
    destructive: true,
    confirmation: 'Replaces the facts and drafts of the open months of the schedule.',
  },
  services: { scheduling },
  stale: 'schedule_rebuilt',
  errors: {
    NOT_FOUND: 'No schedule has this id.',
    INVALID_INPUT: 'The schedule ended with the disposal of its asset, or the amount of a posted month would change.',
  },

  async handle({ input, ctx, use }) {
    const work = { tx: ctx.tx, userId: ctx.caller.userId, now: ctx.now() };
    const written = await use.scheduling.writer.rebuild(work, input.structure_id);
    return { ...written, rule_summary: written.rule_summary === null ? null : { ...written.rule_summary } };
  },
});
