import { model, nullable, oneOf, openModel } from '@pacioli/core';
import { type Static, Type } from 'typebox';

const text = Type.Optional(nullable(Type.String()));

const taxonomyBlockElement = model('TaxonomyBlockElement', {
  id: Type.String(),
  name: Type.String(),
  origin: oneOf(['library', 'tenant']),
  qname: text,
  trait: text,
  balance_type: text,
  period_type: text,
  element_type: Type.Optional(Type.String({ default: 'concept' })),
  is_monetary: Type.Optional(Type.Boolean({ default: true })),
  parent_qname: text,
  depth: Type.Optional(nullable(Type.Integer())),
});

const taxonomyBlockStructure = model('TaxonomyBlockStructure', {
  id: Type.String(),
  name: Type.String(),
  block_type: Type.String(),
  description: text,
  role_uri: text,
});

const taxonomyBlockAssociation = model('TaxonomyBlockAssociation', {
  id: Type.String(),
  structure_id: Type.String(),
  from_element_qname: Type.String(),
  to_element_qname: Type.String(),
  association_type: Type.String(),
  order_value: Type.Optional(nullable(Type.Number())),
  arcrole: text,
  weight: Type.Optional(nullable(Type.Number())),
});

const taxonomyBlockRule = model('TaxonomyBlockRule', {
  id: Type.String(),
  name: Type.String(),
  rule_category: Type.String(),
  rule_expression: Type.String(),
  rule_pattern: text,
  rule_check_kind: text,
  severity: Type.Optional(Type.String({ default: 'error' })),
  origin: Type.Optional(Type.String({ default: 'native' })),
  target_kind: text,
  target_ref: text,
});

/** A taxonomy with everything in it, as create and update answer. */
export const taxonomyBlockEnvelope = model('TaxonomyBlockEnvelope', {
  id: Type.String(),
  name: Type.String(),
  taxonomy_type: Type.String(),
  display_name: Type.String(),
  category: Type.String(),
  parent_taxonomy_id: text,
  parent_taxonomy_name: text,
  version: text,
  standard: text,
  namespace_uri: text,
  is_locked: Type.Optional(Type.Boolean({ default: false })),
  elements: Type.Optional(Type.Array(taxonomyBlockElement)),
  structures: Type.Optional(Type.Array(taxonomyBlockStructure)),
  associations: Type.Optional(Type.Array(taxonomyBlockAssociation)),
  rules: Type.Optional(Type.Array(taxonomyBlockRule)),
  verification_results: Type.Optional(Type.Array(openModel('TaxonomyBlockEnvelopeVerificationResultsItem'))),
  element_count: Type.Optional(Type.Integer({ default: 0 })),
  structure_count: Type.Optional(Type.Integer({ default: 0 })),
  association_count: Type.Optional(Type.Integer({ default: 0 })),
});

export type BlockEnvelope = Static<typeof taxonomyBlockEnvelope>;
