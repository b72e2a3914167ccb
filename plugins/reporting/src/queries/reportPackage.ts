import { blockEnvelopes, factStore, informationBlock } from '@pacioli/blocks';
import { calendarDate, defineQuery, instant, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { readPackage } from '../reports/index.ts';

const ReportPackageItem = model('ReportPackageItem', {
  fact_set_id: Type.String(),
  structure_id: nullable(Type.String()),
  display_order: Type.Integer(),
  block: informationBlock,
});

const ReportPackage = model('ReportPackage', {
  id: Type.String({ graphql: { type: 'ID' } }),
  name: Type.String(),
  description: nullable(Type.String()),
  taxonomy_id: Type.String(),
  period_type: Type.String(),
  period_start: nullable(calendarDate()),
  period_end: nullable(calendarDate()),
  generation_status: Type.String(),
  last_generated: nullable(instant()),
  filing_status: Type.String(),
  filed_at: nullable(instant()),
  filed_by: nullable(Type.String()),
  supersedes_id: nullable(Type.String()),
  superseded_by_id: nullable(Type.String()),
  source_graph_id: nullable(Type.String()),
  source_report_id: nullable(Type.String()),
  shared_at: nullable(instant()),
  entity_name: nullable(Type.String()),
  ai_generated: Type.Boolean(),
  created_at: instant(),
  created_by: Type.String(),
  items: Type.Array(ReportPackageItem),
});

export default defineQuery({
  name: 'reportPackage',
  summary:
    'A report with every block that it consists of, as they were generated; null if the graph has no such report.',
  args: model('ReportPackageArgs', { report_id: Type.String() }),
  returns: nullable(ReportPackage),
  services: { facts: factStore, envelopes: blockEnvelopes },
  cost: { points: 100 },
  resolve: ({ args, ctx, use }) => readPackage(ctx.tx, use, args.report_id),
});
