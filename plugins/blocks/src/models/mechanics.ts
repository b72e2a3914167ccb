import { mapOf, model, nullable, oneOf } from '@pacioli/core';
import { Type } from 'typebox';
import { attributionFilter, entryTemplateRequest, scheduleMetadataRequest } from './schedule-parts.ts';

const leverAssertionLite = model('LeverAssertionLite', {
  qname: Type.String(),
  element_id: Type.String(),
  values_by_period: mapOf(Type.Number()),
  item_type: Type.Optional(nullable(Type.String())),
});

const lineAssertionLite = model('LineAssertionLite', {
  qname: Type.String(),
  element_id: Type.String(),
  values_by_period: mapOf(Type.Number()),
  item_type: Type.Optional(nullable(Type.String())),
  period_type: Type.Optional(Type.String({ default: 'duration' })),
});

const lineGrowthLite = model('LineGrowthLite', {
  qname: Type.String(),
  element_id: Type.String(),
  values_by_period: mapOf(Type.Number()),
  item_type: Type.Optional(Type.String({ default: 'percent' })),
});

export const forecastMechanics = model('ForecastMechanics', {
  horizon_months: Type.Integer(),
  base_period: Type.String(),
  levers: Type.Array(leverAssertionLite),
  kind: Type.Optional(Type.Unsafe<'forecast'>({ enum: ['forecast'], default: 'forecast' })),
  scenario_kind: Type.Optional(oneOf(['budget', 'forecast', 'projection'], { default: 'forecast' })),
  base_anchor: Type.Optional(oneOf(['fixed', 'seam'], { default: 'seam' })),
  line_assertions: Type.Optional(Type.Array(lineAssertionLite)),
  line_growth: Type.Optional(Type.Array(lineGrowthLite)),
  computed_months: Type.Optional(Type.Integer({ default: 0 })),
});

export const metricMechanics = model('MetricMechanics', {
  kind: Type.Optional(Type.Unsafe<'metric'>({ enum: ['metric'], default: 'metric' })),
  source_block_ids: Type.Optional(Type.Array(Type.String())),
  derivation_type: Type.Optional(nullable(Type.String())),
  expression: Type.Optional(nullable(Type.String())),
  unit: Type.Optional(Type.String({ default: 'ratio' })),
});

export const rollforwardMechanics = model('RollforwardMechanics', {
  bs_source_element_id: Type.String(),
  bs_source_qname: Type.String(),
  kind: Type.Optional(Type.Unsafe<'rollforward'>({ enum: ['rollforward'], default: 'rollforward' })),
  default_change_tag_element_id: Type.Optional(nullable(Type.String())),
  default_change_tag_qname: Type.Optional(nullable(Type.String())),
  attribution_filters: Type.Optional(Type.Array(attributionFilter)),
  validation_mode: Type.Optional(
    oneOf(['residual_as_default', 'strict', 'warn_only'], { default: 'residual_as_default' }),
  ),
});

export const scheduleMechanics = model('ScheduleMechanics', {
  entry_template: entryTemplateRequest,
  kind: Type.Optional(
    Type.Unsafe<'closing_entry_generator'>({ enum: ['closing_entry_generator'], default: 'closing_entry_generator' }),
  ),
  schedule_metadata: Type.Optional(nullable(scheduleMetadataRequest)),
  periods_with_entries: Type.Optional(Type.Integer({ default: 0 })),
});

export const statementMechanics = model('StatementMechanics', {
  kind: Type.Optional(
    Type.Unsafe<'statement_renderer'>({ enum: ['statement_renderer'], default: 'statement_renderer' }),
  ),
  template_id: Type.Optional(nullable(Type.String())),
  rollup_root_element_ids: Type.Optional(Type.Array(Type.String())),
  period_comparisons: Type.Optional(Type.Integer({ default: 1 })),
});
