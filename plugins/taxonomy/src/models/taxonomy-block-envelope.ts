import { model, nullable, oneOf, openObject } from '@pacioli/core';
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

/** A taxonomy with everything in it, as create and update return it. */
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
  verification_results: Type.Optional(Type.Array(openObject())),
  element_count: Type.Optional(Type.Integer({ default: 0 })),
  structure_count: Type.Optional(Type.Integer({ default: 0 })),
  association_count: Type.Optional(Type.Integer({ default: 0 })),
});

export type BlockEnvelope = Static<typeof taxonomyBlockEnvelope>;

const shownText = nullable(Type.String());

const shownElement = model('TaxonomyBlockElement', {
  id: Type.String(),
  qname: shownText,
  name: Type.String(),
  trait: shownText,
  balance_type: shownText,
  period_type: shownText,
  element_type: Type.String(),
  is_monetary: Type.Boolean(),
  parent_qname: shownText,
  depth: nullable(Type.Integer()),
  origin: Type.String(),
});

const shownStructure = model('TaxonomyBlockStructure', {
  id: Type.String(),
  name: Type.String(),
  block_type: Type.String(),
  description: shownText,
  role_uri: shownText,
});

const shownAssociation = model('TaxonomyBlockAssociation', {
  id: Type.String(),
  structure_id: Type.String(),
  from_element_qname: Type.String(),
  to_element_qname: Type.String(),
  association_type: Type.String(),
  order_value: nullable(Type.Number()),
  arcrole: shownText,
  weight: nullable(Type.Number()),
});

const shownRule = model('TaxonomyBlockRule', {
  id: Type.String(),
  name: Type.String(),
  rule_category: Type.String(),
  /** The pattern, or for a structural check its kind: the contract has no separate field for that. */
  rule_pattern: Type.String(),
  rule_expression: Type.String(),
  severity: Type.String(),
  origin: Type.String(),
  target_kind: shownText,
  target_ref: shownText,
});

/** A block as queries return it, with the same parts as the envelope of the operations. */
export const taxonomyBlock = model('TaxonomyBlock', {
  id: Type.String({ graphql: { type: 'ID' } }),
  name: Type.String(),
  taxonomy_type: Type.String(),
  display_name: Type.String(),
  category: Type.String(),
  parent_taxonomy_id: shownText,
  parent_taxonomy_name: shownText,
  version: shownText,
  standard: shownText,
  namespace_uri: shownText,
  is_locked: Type.Boolean(),
  elements: Type.Array(shownElement),
  structures: Type.Array(shownStructure),
  associations: Type.Array(shownAssociation),
  rules: Type.Array(shownRule),
  verification_results: Type.Array(Type.Unsafe<unknown>({ graphql: { type: 'JSON' } })),
  element_count: Type.Integer(),
  structure_count: Type.Integer(),
  association_count: Type.Integer(),
});

type ShownBlock = Static<typeof taxonomyBlock>;
type LazyField =
  | 'elements'
  | 'structures'
  | 'associations'
  | 'rules'
  | 'verification_results'
  | 'element_count'
  | 'structure_count'
  | 'association_count';

/** A block whose lists and counts are promises: fields that are not requested are never read (taxonomy T-46). */
export type LazyBlock = Omit<ShownBlock, LazyField> & {
  readonly [K in LazyField]: Promise<ShownBlock[K]>;
};
