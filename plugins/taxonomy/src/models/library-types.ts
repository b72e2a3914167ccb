import { model, nullable } from '@pacioli/core';
import { type Static, Type } from 'typebox';
import type { LibraryTaxonomyRow } from '../library/index.ts';
import type { ShownElement } from './library-rows.ts';

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

export const libraryStructure = model('LibraryStructure', {
  id: Type.String(),
  name: Type.String(),
  block_type: Type.String(),
  taxonomy_id: Type.String(),
  role_uri: text,
  is_active: Type.Boolean(),
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

/** Converts a stored element, the graph's own or a shipped one, into the fields of the library. */
export function shownElementOf(
  { liquidity, activity_type, description, ...row }: ShownElement,
  include: { readonly labels: boolean },
): Static<typeof libraryElement> {
  return {
    ...row,
    labels: include.labels ? labelsOf(row.name, description) : [],
    references: [],
  };
}

function labelsOf(name: string, description: string | null) {
  const standard = { role: 'standard', language: 'en', text: name };
  return description === null ? [standard] : [standard, { role: 'documentation', language: 'en', text: description }];
}
