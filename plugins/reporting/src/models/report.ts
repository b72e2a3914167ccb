import { anything, calendarDate, instant, mapOf, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { PeriodSpec } from './PeriodSpec.ts';

const StructureSummary = model('StructureSummary', {
  id: Type.String(),
  name: Type.String(),
  block_type: Type.String(),
});

/** A report without its figures, as operations return it. */
export const ReportResponse = model('ReportResponse', {
  id: Type.String(),
  name: Type.String(),
  taxonomy_id: Type.String(),
  generation_status: Type.String(),
  period_type: Type.String(),
  comparative: Type.Boolean(),
  created_at: instant(),
  period_start: Type.Optional(nullable(calendarDate())),
  period_end: Type.Optional(nullable(calendarDate())),
  periods: Type.Optional(nullable(Type.Array(PeriodSpec))),
  mapping_id: Type.Optional(nullable(Type.String())),
  ai_generated: Type.Optional(Type.Boolean({ default: false })),
  last_generated: Type.Optional(nullable(instant())),
  structures: Type.Optional(Type.Array(StructureSummary)),
  entity_name: Type.Optional(nullable(Type.String())),
  filing_status: Type.Optional(Type.String({ default: 'draft' })),
  filed_at: Type.Optional(nullable(instant())),
  filed_by: Type.Optional(nullable(Type.String())),
  supersedes_id: Type.Optional(nullable(Type.String())),
  superseded_by_id: Type.Optional(nullable(Type.String())),
  source_graph_id: Type.Optional(nullable(Type.String())),
  source_report_id: Type.Optional(nullable(Type.String())),
  shared_at: Type.Optional(nullable(instant())),
  rule_summary: Type.Optional(nullable(mapOf(Type.Integer()))),
});

/** The same report as queries return it. */
export const Report = model('Report', {
  id: Type.String(),
  name: Type.String(),
  taxonomy_id: Type.String(),
  generation_status: Type.String(),
  period_type: Type.String(),
  period_start: nullable(calendarDate()),
  period_end: nullable(calendarDate()),
  comparative: Type.Boolean(),
  periods: nullable(Type.Array(PeriodSpec)),
  mapping_id: nullable(Type.String()),
  ai_generated: Type.Boolean(),
  created_at: instant(),
  last_generated: nullable(instant()),
  structures: Type.Array(StructureSummary),
  entity_name: nullable(Type.String()),
  filing_status: Type.String(),
  filed_at: nullable(instant()),
  filed_by: nullable(Type.String()),
  supersedes_id: nullable(Type.String()),
  superseded_by_id: nullable(Type.String()),
  source_graph_id: nullable(Type.String()),
  source_report_id: nullable(Type.String()),
  shared_at: nullable(instant()),
  rule_summary: nullable(anything()),
});
