import { calendarDate, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

export const bindTextBlockRequest = model('BindTextBlockRequest', {
  document_id: Type.String(),
  structure_id: Type.String(),
  period_start: calendarDate(),
  period_end: calendarDate(),
  section_id: Type.Optional(nullable(Type.String())),
  element_id: Type.Optional(nullable(Type.String())),
  element_qname: Type.Optional(nullable(Type.String())),
  entity_id: Type.Optional(nullable(Type.String())),
});

export const bindTextBlockResponse = model('BindTextBlockResponse', {
  fact_id: Type.String(),
  fact_set_id: Type.String(),
  structure_id: Type.String(),
  element_id: Type.String(),
  document_id: Type.String(),
  content_hash: Type.String(),
  characters: Type.Integer(),
  period_start: calendarDate(),
  period_end: calendarDate(),
  replaced: Type.Boolean(),
  section_id: Type.Optional(nullable(Type.String())),
});
