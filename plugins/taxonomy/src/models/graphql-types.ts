import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

const text = nullable(Type.String());
const number = nullable(Type.Number());

/** An id argument or field that the contract types as `ID`. */
export const idType = Type.String({ graphql: { type: 'ID' } });

export const paginationInfo = model('PaginationInfo', {
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
  has_more: Type.Boolean(),
});

export const structure = model('Structure', {
  id: Type.String(),
  name: Type.String(),
  description: text,
  block_type: Type.String(),
  taxonomy_id: Type.String(),
  is_active: Type.Boolean(),
});

export const structureList = model('StructureList', { structures: Type.Array(structure) });

export const association = model('Association', {
  id: Type.String(),
  structure_id: Type.String(),
  from_element_id: Type.String(),
  from_element_name: text,
  from_element_qname: text,
  to_element_id: Type.String(),
  to_element_name: text,
  to_element_qname: text,
  association_type: Type.String(),
  order_value: number,
  weight: number,
  confidence: number,
  suggested_by: text,
  approved_by: text,
});

export const mappingDetail = model('MappingDetail', {
  id: Type.String(),
  name: Type.String(),
  block_type: Type.String(),
  taxonomy_id: Type.String(),
  associations: Type.Array(association),
  total_associations: Type.Integer(),
});

const unreachableMapping = model('UnreachableMappingType', {
  coa_element_id: Type.String(),
  coa_qname: text,
  coa_code: text,
  coa_name: text,
  target_element_id: Type.String(),
  target_qname: text,
  target_name: text,
});

export const mappingCoverage = model('MappingCoverage', {
  mapping_id: Type.String(),
  total_coa_elements: Type.Integer(),
  mapped_count: Type.Integer(),
  unmapped_count: Type.Integer(),
  coverage_percent: Type.Number(),
  high_confidence: Type.Integer(),
  medium_confidence: Type.Integer(),
  low_confidence: Type.Integer(),
  unreachable_count: Type.Integer(),
  unreachable: Type.Array(unreachableMapping),
});

export const taxonomy = model('Taxonomy', {
  id: Type.String(),
  name: Type.String(),
  description: text,
  taxonomy_type: Type.String(),
  version: text,
  standard: text,
  namespace_uri: text,
  is_shared: Type.Boolean(),
  is_active: Type.Boolean(),
  is_locked: Type.Boolean(),
  source_taxonomy_id: text,
  target_taxonomy_id: text,
});

export const taxonomyList = model('TaxonomyList', { taxonomies: Type.Array(taxonomy) });

export const element = model('Element', {
  id: Type.String(),
  code: text,
  name: Type.String(),
  description: text,
  qname: text,
  namespace: text,
  trait: text,
  sub_classification: text,
  balance_type: Type.String(),
  period_type: Type.String(),
  is_abstract: Type.Boolean(),
  element_type: Type.String(),
  source: Type.String(),
  taxonomy_id: text,
  parent_id: text,
  depth: Type.Integer(),
  is_active: Type.Boolean(),
  external_id: text,
  external_source: text,
});

export const elementList = model('ElementList', { elements: Type.Array(element), pagination: paginationInfo });

const suggestedTarget = model('SuggestedTarget', {
  element_id: Type.String(),
  qname: Type.String(),
  name: Type.String(),
  confidence: number,
});

export const unmappedElement = model('UnmappedElement', {
  id: Type.String(),
  code: text,
  name: Type.String(),
  trait: text,
  liquidity: text,
  balance_type: Type.String(),
  external_source: text,
  suggested_targets: Type.Array(suggestedTarget),
});
