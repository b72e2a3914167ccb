import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';

const text = nullable(Type.String());

/** An id argument or field that the contract types as `ID`. */
export const idType = Type.String({ graphql: { type: 'ID' } });

export const paginationInfo = model('PaginationInfo', {
  total: Type.Integer(),
  limit: Type.Integer(),
  offset: Type.Integer(),
  has_more: Type.Boolean(),
});

const structure = model('Structure', {
  id: Type.String(),
  name: Type.String(),
  description: text,
  block_type: Type.String(),
  taxonomy_id: Type.String(),
  is_active: Type.Boolean(),
});

export const structureList = model('StructureList', { structures: Type.Array(structure) });

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
