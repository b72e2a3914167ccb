import { calendarDate, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import {
  forecastMechanics,
  metricMechanics,
  rollforwardMechanics,
  scheduleMechanics,
  statementMechanics,
} from './mechanics.ts';

export const artifactResponse = model('ArtifactResponse', {
  mechanics: Type.Union([
    forecastMechanics,
    metricMechanics,
    rollforwardMechanics,
    scheduleMechanics,
    statementMechanics,
  ]),
  topic: Type.Optional(nullable(Type.String())),
  renderer_note: Type.Optional(nullable(Type.String())),
  template: Type.Optional(nullable(openObject())),
});

export const informationModelResponse = model('InformationModelResponse', {
  concept_arrangement: Type.Optional(nullable(Type.String())),
  member_arrangement: Type.Optional(nullable(Type.String())),
});

export const elementLite = model('ElementLite', {
  id: Type.String(),
  name: Type.String(),
  element_type: Type.String(),
  qname: Type.Optional(nullable(Type.String())),
  code: Type.Optional(nullable(Type.String())),
  is_abstract: Type.Optional(Type.Boolean({ default: false })),
  is_monetary: Type.Optional(Type.Boolean({ default: true })),
  balance_type: Type.Optional(nullable(Type.String())),
  period_type: Type.Optional(nullable(Type.String())),
  item_type: Type.Optional(nullable(Type.String())),
  documentation: Type.Optional(nullable(Type.String())),
});

const classificationLite = model('ClassificationLite', {
  id: Type.String(),
  category: Type.String(),
  identifier: Type.String(),
  is_primary: Type.Optional(Type.Boolean({ default: true })),
  confidence: Type.Optional(nullable(Type.Number())),
  source: Type.Optional(nullable(Type.String())),
});

export const connectionLite = model('ConnectionLite', {
  id: Type.String(),
  from_element_id: Type.String(),
  to_element_id: Type.String(),
  association_type: Type.String(),
  arcrole: Type.Optional(nullable(Type.String())),
  order_value: Type.Optional(nullable(Type.Number())),
  weight: Type.Optional(nullable(Type.Number())),
  classifications: Type.Optional(Type.Array(classificationLite)),
});

export const factLite = model('FactLite', {
  id: Type.String(),
  element_id: Type.String(),
  period_end: calendarDate(),
  period_type: Type.String(),
  fact_scope: Type.String(),
  element_name: Type.Optional(nullable(Type.String())),
  element_qname: Type.Optional(nullable(Type.String())),
  value: Type.Optional(nullable(Type.Number())),
  text_value: Type.Optional(nullable(Type.String())),
  fact_type: Type.Optional(Type.String({ default: 'Numeric' })),
  content_type: Type.Optional(nullable(Type.String())),
  period_start: Type.Optional(nullable(calendarDate())),
  unit: Type.Optional(Type.String({ default: 'USD' })),
  fact_set_id: Type.Optional(nullable(Type.String())),
});

const ruleTargetLite = model('RuleTargetLite', {
  target_kind: Type.String(),
  target_ref_id: Type.String(),
});

const ruleVariableLite = model('RuleVariableLite', {
  variable_name: Type.String(),
  variable_qname: Type.Optional(nullable(Type.String())),
  variable_element_id: Type.Optional(nullable(Type.String())),
});

export const ruleLite = model('RuleLite', {
  id: Type.String(),
  rule_category: Type.String(),
  rule_expression: Type.String(),
  rule_pattern: Type.Optional(nullable(Type.String())),
  rule_check_kind: Type.Optional(nullable(Type.String())),
  rule_target: Type.Optional(nullable(ruleTargetLite)),
  rule_variables: Type.Optional(Type.Array(ruleVariableLite)),
  rule_message: Type.Optional(nullable(Type.String())),
  rule_severity: Type.Optional(Type.String({ default: 'error' })),
  rule_origin: Type.Optional(Type.String({ default: 'native' })),
});

export const factSetLite = model('FactSetLite', {
  id: Type.String(),
  period_end: calendarDate(),
  factset_type: Type.String(),
  entity_id: Type.String(),
  structure_id: Type.Optional(nullable(Type.String())),
  period_start: Type.Optional(nullable(calendarDate())),
  report_id: Type.Optional(nullable(Type.String())),
  scenario_id: Type.Optional(nullable(Type.String())),
  provenance: Type.Optional(nullable(openObject())),
});

const renderingRowLite = model('RenderingRowLite', {
  element_id: Type.String(),
  element_name: Type.String(),
  element_qname: Type.Optional(nullable(Type.String())),
  classification: Type.Optional(nullable(Type.String())),
  balance_type: Type.Optional(nullable(Type.String())),
  item_type: Type.Optional(nullable(Type.String())),
  values: Type.Optional(Type.Array(nullable(Type.Number()))),
  text_value: Type.Optional(nullable(Type.String())),
  is_subtotal: Type.Optional(Type.Boolean({ default: false })),
  depth: Type.Optional(Type.Integer({ default: 0 })),
});

const renderingPeriodLite = model('RenderingPeriodLite', {
  start: calendarDate(),
  end: calendarDate(),
  label: Type.Optional(nullable(Type.String())),
  forecast: Type.Optional(nullable(Type.Boolean())),
});

const validationLite = model('ValidationLite', {
  passed: Type.Optional(Type.Boolean({ default: true })),
  status: Type.Optional(Type.String({ default: 'passed' })),
  checks: Type.Optional(Type.Array(Type.String())),
  failures: Type.Optional(Type.Array(Type.String())),
  warnings: Type.Optional(Type.Array(Type.String())),
});

const renderingLite = model('RenderingLite', {
  rows: Type.Optional(Type.Array(renderingRowLite)),
  periods: Type.Optional(Type.Array(renderingPeriodLite)),
  validation: Type.Optional(nullable(validationLite)),
  unmapped_count: Type.Optional(Type.Integer({ default: 0 })),
});

const chartSeriesLite = model('ChartSeriesLite', {
  key: Type.String(),
  element_id: Type.String(),
  label: Type.String(),
});

const chartPanelLite = model('ChartPanelLite', {
  label: Type.Optional(nullable(Type.String())),
  item_type: Type.Optional(nullable(Type.String())),
  kind: Type.Optional(Type.String({ default: 'line' })),
  series: Type.Optional(Type.Array(chartSeriesLite)),
});

const chartLite = model('ChartLite', {
  panels: Type.Optional(Type.Array(chartPanelLite)),
});

export const viewProjections = model('ViewProjections', {
  rendering: Type.Optional(nullable(renderingLite)),
  chart: Type.Optional(nullable(chartLite)),
});
