import { mapOf, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export const ScheduleCreatedResponse = model('ScheduleCreatedResponse', {
  structure_id: Type.String(),
  name: Type.String(),
  taxonomy_id: Type.String(),
  total_periods: Type.Integer(),
  total_facts: Type.Integer(),
  rule_summary: Type.Optional(nullable(mapOf(Type.Integer()))),
  schedule_created_event_id: Type.Optional(nullable(Type.String())),
  pending_event_count: Type.Optional(Type.Integer({ default: 0 })),
});

export const TerminateScheduleResponse = model('TerminateScheduleResponse', {
  structure_id: Type.String(),
  name: Type.String(),
  new_end_date: Type.String({ format: 'date' }),
  facts_deleted: Type.Integer(),
  obligations_voided: Type.Integer(),
  rule_updated: Type.Boolean(),
  reason: Type.String(),
});

export const PromoteObligationsResponse = model('PromoteObligationsResponse', {
  classified_count: Type.Integer(),
  dispatched_count: Type.Integer(),
  error_count: Type.Integer(),
  stranded_count: Type.Optional(Type.Integer({ default: 0 })),
  classified_event_ids: Type.Optional(Type.Array(Type.String())),
  stranded_event_ids: Type.Optional(Type.Array(Type.String())),
  errors: Type.Optional(Type.Array(mapOf(Type.String()))),
});
