import { model, nullable } from '@pacioli/core';
import { type Static, Type } from 'typebox';
import type { LibraryElementRow, LibraryTaxonomyRow } from '../domain/library.ts';
import { namespaceOf } from '../domain/library.ts';

const text = nullable(Type.String());

export const libraryTaxonomy = model('LibraryTaxonomy', {
  id: Type.String(),
  name: Type.String(),
  description: text,
  standard: text,
  version: text,
  namespace_uri: text,
  taxonomy_type: Type.String(),
  is_shared: Type.Boolean(),
  is_active: Type.Boolean(),
  is_locked: Type.Boolean(),
  element_count: nullable(Type.Integer()),
});

const libraryLabel = model('LibraryLabel', { role: Type.String(), language: Type.String(), text: Type.String() });

const libraryReference = model('LibraryReference', { ref_type: text, citation: Type.String(), uri: text });

export const libraryElement = model('LibraryElement', {
  id: Type.String(),
  qname: Type.String(),
  namespace: text,
  name: Type.String(),
  trait: text,
  balance_type: Type.String(),
  period_type: Type.String(),
  is_abstract: Type.Boolean(),
  is_monetary: Type.Boolean(),
  element_type: Type.String(),
  source: Type.String(),
  taxonomy_id: text,
  parent_id: text,
  labels: Type.Array(libraryLabel),
  references: Type.Array(libraryReference),
});

/** A shipped taxonomy as the library lists it. */
export function libraryTaxonomyOf(row: LibraryTaxonomyRow): Static<typeof libraryTaxonomy> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    standard: row.standard,
    version: row.version,
    namespace_uri: row.namespaceUri,
    taxonomy_type: row.taxonomyType,
    is_shared: true,
    is_active: true,
    is_locked: true,
    element_count: null,
  };
}

/** A shipped element; the side that a concept lacks reads as debit on the wire (taxonomy 1.3). */
export function libraryElementOf(
  row: LibraryElementRow,
  include: { readonly labels: boolean },
): Static<typeof libraryElement> {
  return {
    id: row.id,
    qname: row.qname,
    namespace: namespaceOf(row.qname),
    name: row.name,
    trait: row.trait,
    balance_type: row.balanceType ?? 'debit',
    period_type: row.periodType,
    is_abstract: row.isAbstract,
    is_monetary: row.isMonetary,
    element_type: row.elementType,
    source: row.source,
    taxonomy_id: row.taxonomyId,
    parent_id: null,
    labels: include.labels ? [{ role: 'standard', language: 'en', text: row.name }] : [],
    references: [],
  };
}
