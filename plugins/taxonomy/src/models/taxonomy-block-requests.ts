import { model, nullable, oneOf, openObject } from '@pacioli/core';
import { type Static, Type } from 'typebox';

const text = Type.Optional(nullable(Type.String()));
const arrangements = [
  'adjustment',
  'arithmetic',
  'compound_fact',
  'grid',
  'level1_textblock',
  'level2_textblock',
  'level3_textblock',
  'level4_detail',
  'roll_forward',
  'roll_forward_info',
  'roll_up',
  'set',
  'table_equivalent_textblock',
  'text_block',
  'variance',
] as const;
const arrangement = Type.Optional(nullable(oneOf(arrangements)));

const taxonomyBlockElementRequest = model('TaxonomyBlockElementRequest', {
  qname: Type.String(),
  name: Type.String(),
  trait: text,
  balance_type: text,
  element_type: Type.Optional(Type.String({ default: 'concept' })),
  period_type: text,
  is_monetary: Type.Optional(Type.Boolean({ default: true })),
  description: text,
  code: text,
  sub_classification: text,
  parent_ref: text,
  metadata: Type.Optional(openObject()),
});

const taxonomyBlockStructureRequest = model('TaxonomyBlockStructureRequest', {
  name: Type.String(),
  block_type: oneOf([
    'balance_sheet',
    'cash_flow_statement',
    'chart_of_accounts',
    'coa_mapping',
    'custom',
    'equity_statement',
    'income_statement',
    'metric',
    'policy',
    'reconciliation',
    'regulatory_disclosure',
    'rollforward',
    'schedule',
  ]),
  concept_arrangement: arrangement,
  description: text,
  role_uri: text,
  metadata: Type.Optional(openObject()),
});

const taxonomyBlockAssociationRequest = model('TaxonomyBlockAssociationRequest', {
  structure_ref: Type.String(),
  from_ref: Type.String(),
  to_ref: Type.String(),
  association_type: oneOf([
    'calculation',
    'equivalence',
    'essence-alias',
    'general-special',
    'mapping',
    'presentation',
  ]),
  order_value: Type.Optional(nullable(Type.Number())),
  arcrole: text,
  weight: Type.Optional(nullable(Type.Number())),
  metadata: Type.Optional(openObject()),
});

const taxonomyBlockRuleRequest = model('TaxonomyBlockRuleRequest', {
  name: Type.String(),
  rule_category: oneOf([
    'AutomatedAccountingAndReportingChecks',
    'DisclosureMechanicsRule',
    'FundamentalAccountingConceptRelation',
    'PeerConsistencyRule',
    'PriorPeriodConsistencyRule',
    'ReportingSystemSpecificRule',
    'ReportLevelModelStructureRule',
    'ToDoManualTask',
    'XBRLTechnicalSyntaxRule',
  ]),
  rule_pattern: oneOf([
    'Adjustment',
    'CoExists',
    'Derive',
    'EqualTo',
    'Exists',
    'GreaterThan',
    'GreaterThanOrEqualToZero',
    'LessThan',
    'RollForward',
    'RollUp',
    'SumEquals',
    'Variance',
  ]),
  expression: Type.String(),
  description: text,
  variables: Type.Optional(Type.Array(openObject())),
  severity: Type.Optional(oneOf(['error', 'info', 'warning'], { default: 'error' })),
  target_structure_ref: text,
  target_element_qname: text,
  target_taxonomy_self: Type.Optional(Type.Boolean({ default: false })),
  message: text,
  metadata: Type.Optional(openObject()),
});

export const createTaxonomyBlockRequest = model('CreateTaxonomyBlockRequest', {
  name: Type.String(),
  taxonomy_type: oneOf([
    'chart_of_accounts',
    'custom_ontology',
    'reporting_extension',
    'reporting_standard',
    'schedule',
  ]),
  parent_taxonomy_id: text,
  version: text,
  description: text,
  standard: text,
  namespace_uri: text,
  elements: Type.Optional(Type.Array(taxonomyBlockElementRequest)),
  structures: Type.Optional(Type.Array(taxonomyBlockStructureRequest)),
  associations: Type.Optional(Type.Array(taxonomyBlockAssociationRequest)),
  rules: Type.Optional(Type.Array(taxonomyBlockRuleRequest)),
  metadata: Type.Optional(openObject()),
});

const elementUpdatePatch = model('ElementUpdatePatch', {
  qname: Type.String(),
  name: text,
  description: text,
  trait: text,
  balance_type: text,
  period_type: text,
  is_monetary: Type.Optional(nullable(Type.Boolean())),
  code: text,
  parent_ref: text,
  metadata: Type.Optional(nullable(openObject())),
  is_active: Type.Optional(nullable(Type.Boolean())),
});

const structureUpdatePatch = model('StructureUpdatePatch', {
  structure_id: Type.String(),
  name: text,
  description: text,
  role_uri: text,
  concept_arrangement: arrangement,
  metadata: Type.Optional(nullable(openObject())),
});

export const deleteTaxonomyBlockRequest = model('DeleteTaxonomyBlockRequest', {
  taxonomy_id: Type.String(),
  reason: Type.String(),
  cascade_facts: Type.Optional(Type.Boolean({ default: false })),
});

export const deleteTaxonomyBlockResponse = model('DeleteTaxonomyBlockResponse', {
  taxonomy_id: Type.String(),
  name: Type.String(),
  deleted: Type.Optional(Type.Boolean({ default: true })),
  facts_deleted: Type.Optional(Type.Integer({ default: 0 })),
  cascade_applied: Type.Optional(Type.Boolean({ default: false })),
});

export const updateTaxonomyBlockRequest = model('UpdateTaxonomyBlockRequest', {
  taxonomy_id: Type.String(),
  name: text,
  description: text,
  version: text,
  elements_to_add: Type.Optional(Type.Array(taxonomyBlockElementRequest)),
  elements_to_update: Type.Optional(Type.Array(elementUpdatePatch)),
  elements_to_remove: Type.Optional(Type.Array(Type.String())),
  structures_to_add: Type.Optional(Type.Array(taxonomyBlockStructureRequest)),
  structures_to_update: Type.Optional(Type.Array(structureUpdatePatch)),
  structures_to_remove: Type.Optional(Type.Array(Type.String())),
  associations_to_add: Type.Optional(Type.Array(taxonomyBlockAssociationRequest)),
  associations_to_remove: Type.Optional(Type.Array(Type.String())),
  rules_to_add: Type.Optional(Type.Array(taxonomyBlockRuleRequest)),
  rules_to_remove: Type.Optional(Type.Array(Type.String())),
});

export type ElementRequest = Static<typeof taxonomyBlockElementRequest>;
export type StructureRequest = Static<typeof taxonomyBlockStructureRequest>;
export type AssociationRequest = Static<typeof taxonomyBlockAssociationRequest>;
export type RuleRequest = Static<typeof taxonomyBlockRuleRequest>;
export type CreateBlockRequest = Static<typeof createTaxonomyBlockRequest>;
export type UpdateBlockRequest = Static<typeof updateTaxonomyBlockRequest>;
export type DeleteBlockRequest = Static<typeof deleteTaxonomyBlockRequest>;
export type DeleteBlockAnswer = Static<typeof deleteTaxonomyBlockResponse>;
