import { anything, calendarDate, instant, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

const informationModel = model('InformationModel', {
  concept_arrangement: nullable(Type.String()),
  member_arrangement: nullable(Type.String()),
});

const artifact = model('Artifact', {
  topic: nullable(Type.String()),
  renderer_note: nullable(Type.String()),
  template: nullable(anything()),
  mechanics: anything(),
});

const informationBlockElement = model('InformationBlockElement', {
  id: Type.String(),
  qname: nullable(Type.String()),
  name: Type.String(),
  code: nullable(Type.String()),
  element_type: Type.String(),
  is_abstract: Type.Boolean(),
  is_monetary: Type.Boolean(),
  balance_type: nullable(Type.String()),
  period_type: nullable(Type.String()),
  item_type: nullable(Type.String()),
  documentation: nullable(Type.String()),
});

const informationBlockClassification = model('InformationBlockClassification', {
  id: Type.String(),
  category: Type.String(),
  identifier: Type.String(),
  is_primary: Type.Boolean(),
  confidence: nullable(Type.Number()),
  source: nullable(Type.String()),
});

const informationBlockConnection = model('InformationBlockConnection', {
  id: Type.String(),
  from_element_id: Type.String(),
  to_element_id: Type.String(),
  association_type: Type.String(),
  arcrole: nullable(Type.String()),
  order_value: nullable(Type.Number()),
  weight: nullable(Type.Number()),
  classifications: Type.Array(informationBlockClassification),
});

const informationBlockFact = model('InformationBlockFact', {
  id: Type.String(),
  element_id: Type.String(),
  element_name: nullable(Type.String()),
  element_qname: nullable(Type.String()),
  value: nullable(Type.Number()),
  text_value: nullable(Type.String()),
  fact_type: Type.String(),
  content_type: nullable(Type.String()),
  period_start: nullable(calendarDate()),
  period_end: calendarDate(),
  period_type: Type.String(),
  unit: Type.String(),
  fact_scope: Type.String(),
  fact_set_id: nullable(Type.String()),
});

const informationBlockRuleTarget = model('InformationBlockRuleTarget', {
  target_kind: Type.String(),
  target_ref_id: Type.String(),
});

const informationBlockRuleVariable = model('InformationBlockRuleVariable', {
  variable_name: Type.String(),
  variable_qname: nullable(Type.String()),
  variable_element_id: nullable(Type.String()),
});

const informationBlockRule = model('InformationBlockRule', {
  id: Type.String(),
  rule_category: Type.String(),
  rule_pattern: nullable(Type.String()),
  rule_check_kind: nullable(Type.String()),
  rule_expression: Type.String(),
  rule_target: nullable(informationBlockRuleTarget),
  rule_variables: Type.Array(informationBlockRuleVariable),
  rule_message: nullable(Type.String()),
  rule_severity: Type.String(),
  rule_origin: Type.String(),
});

const informationBlockFactSet = model('InformationBlockFactSet', {
  id: Type.String(),
  structure_id: nullable(Type.String()),
  period_start: nullable(calendarDate()),
  period_end: calendarDate(),
  factset_type: Type.String(),
  entity_id: Type.String(),
  report_id: nullable(Type.String()),
  scenario_id: nullable(Type.String()),
  provenance: nullable(anything()),
});

const informationBlockVerificationResult = model('InformationBlockVerificationResult', {
  id: Type.String(),
  rule_id: Type.String(),
  structure_id: nullable(Type.String()),
  fact_set_id: nullable(Type.String()),
  status: Type.String(),
  message: nullable(Type.String()),
  period_start: nullable(calendarDate()),
  period_end: nullable(calendarDate()),
  evaluated_at: nullable(instant()),
});

const informationBlockVerificationCategorySummary = model('InformationBlockVerificationCategorySummary', {
  category: Type.String(),
  total: Type.Integer(),
  passed: Type.Integer(),
  failed: Type.Integer(),
  errored: Type.Integer(),
  skipped: Type.Integer(),
});

const informationBlockVerificationSummary = model('InformationBlockVerificationSummary', {
  total: Type.Integer(),
  passed: Type.Integer(),
  failed: Type.Integer(),
  errored: Type.Integer(),
  skipped: Type.Integer(),
  by_category: Type.Array(informationBlockVerificationCategorySummary),
});

const informationBlockRenderingRow = model('InformationBlockRenderingRow', {
  element_id: Type.String(),
  element_qname: nullable(Type.String()),
  element_name: Type.String(),
  classification: nullable(Type.String()),
  balance_type: nullable(Type.String()),
  item_type: nullable(Type.String()),
  values: Type.Array(nullable(Type.Number())),
  text_value: nullable(Type.String()),
  is_subtotal: Type.Boolean(),
  depth: Type.Integer(),
});

const informationBlockRenderingPeriod = model('InformationBlockRenderingPeriod', {
  start: calendarDate(),
  end: calendarDate(),
  label: nullable(Type.String()),
  forecast: nullable(Type.Boolean()),
});

const informationBlockValidation = model('InformationBlockValidation', {
  passed: Type.Boolean(),
  status: Type.String(),
  checks: Type.Array(Type.String()),
  failures: Type.Array(Type.String()),
  warnings: Type.Array(Type.String()),
});

const informationBlockRendering = model('InformationBlockRendering', {
  rows: Type.Array(informationBlockRenderingRow),
  periods: Type.Array(informationBlockRenderingPeriod),
  validation: nullable(informationBlockValidation),
  unmapped_count: Type.Integer(),
});

const informationBlockChartSeries = model('InformationBlockChartSeries', {
  key: Type.String(),
  element_id: Type.String(),
  label: Type.String(),
});

const informationBlockChartPanel = model('InformationBlockChartPanel', {
  label: nullable(Type.String()),
  item_type: nullable(Type.String()),
  kind: Type.String(),
  series: Type.Array(informationBlockChartSeries),
});

const informationBlockChart = model('InformationBlockChart', {
  panels: Type.Array(informationBlockChartPanel),
});

const informationBlockViewProjections = model('InformationBlockViewProjections', {
  rendering: nullable(informationBlockRendering),
  chart: nullable(informationBlockChart),
});

export const informationBlock = model('InformationBlock', {
  id: Type.String({ graphql: { type: 'ID' } }),
  block_type: Type.String(),
  name: Type.String(),
  display_name: Type.String(),
  category: Type.String(),
  taxonomy_id: nullable(Type.String()),
  taxonomy_name: nullable(Type.String()),
  disclosure_id: nullable(Type.String()),
  information_model: informationModel,
  artifact,
  elements: Type.Array(informationBlockElement),
  connections: Type.Array(informationBlockConnection),
  facts: Type.Array(informationBlockFact),
  rules: Type.Array(informationBlockRule),
  dimensions: Type.Array(anything()),
  fact_set: nullable(informationBlockFactSet),
  verification_results: Type.Array(informationBlockVerificationResult),
  verification_summary: nullable(informationBlockVerificationSummary),
  view: informationBlockViewProjections,
});
