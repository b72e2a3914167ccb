/** A structure as lists show it. */
export interface StructureRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly block_type: string;
  readonly taxonomy_id: string;
  readonly is_active: boolean;
}

/** An arc with the names of its ends. */
export interface AssociationRow {
  readonly id: string;
  readonly structure_id: string;
  readonly from_element_id: string;
  readonly from_element_name: string | null;
  readonly from_element_qname: string | null;
  readonly to_element_id: string;
  readonly to_element_name: string | null;
  readonly to_element_qname: string | null;
  readonly association_type: string;
  readonly order_value: number | null;
  readonly weight: number | null;
  readonly confidence: number | null;
  readonly suggested_by: string | null;
  readonly approved_by: string | null;
}

/** A countable account with its concept in a mapping. */
export interface CoverageRow {
  readonly account_id: string;
  readonly account_qname: string | null;
  readonly account_code: string | null;
  readonly account_name: string;
  /** Null for an unmapped account. */
  readonly target_id: string | null;
  readonly target_qname: string | null;
  readonly target_name: string | null;
  readonly confidence: number | null;
}

/** A countable account without a concept. */
export interface UnmappedRow {
  readonly id: string;
  readonly code: string | null;
  readonly name: string;
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly balance_type: 'debit' | 'credit';
  readonly external_source: string | null;
  readonly sub_classification: string | null;
  readonly parent_id: string | null;
  readonly parent_name: string | null;
  readonly parent_trait: string | null;
  /** The concept of the parent in the requested mapping. */
  readonly parent_concept_id: string | null;
}

/** A taxonomy as lists show it. */
export interface TaxonomyRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly taxonomy_type: string;
  readonly version: string | null;
  readonly standard: string | null;
  readonly namespace_uri: string | null;
  readonly is_shared: boolean;
  readonly is_active: boolean;
  readonly is_locked: boolean;
  readonly source_taxonomy_id: string | null;
  readonly target_taxonomy_id: string | null;
}

/** An element as lists show it. */
export interface ElementRow {
  readonly id: string;
  readonly code: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly qname: string | null;
  readonly namespace: string | null;
  readonly trait: string | null;
  readonly sub_classification: string | null;
  readonly balance_type: string;
  readonly period_type: string;
  readonly is_abstract: boolean;
  readonly element_type: string;
  readonly source: string;
  readonly taxonomy_id: string | null;
  readonly parent_id: string | null;
  readonly depth: number;
  readonly is_active: boolean;
  readonly external_id: string | null;
  readonly external_source: string | null;
}

export interface StructureFilter {
  readonly taxonomyId?: string;
  readonly blockType?: string;
}

export interface ElementFilter {
  readonly taxonomyId?: string;
  readonly source?: string;
  readonly trait?: string;
  readonly isAbstract?: boolean;
  /** Taxonomies of the library whose elements the graph sees. */
  readonly libraryTaxonomyIds: readonly string[];
  readonly limit: number;
  readonly offset: number;
}
