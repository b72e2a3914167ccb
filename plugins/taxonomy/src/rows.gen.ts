// Written by `npm run gen` from the migrations: the rows of each table as the store returns them. Do not edit.

export interface TaxonomyAssociation {
  readonly graph_id: string;
  readonly id: string;
  readonly structure_id: string;
  readonly from_element_id: string;
  readonly to_element_id: string;
  readonly association_type: string;
  readonly arcrole: string | null;
  readonly order_value: number;
  readonly weight: number | null;
  readonly confidence: number | null;
  readonly suggested_by: string | null;
  readonly approved_by: string | null;
  readonly approved_at: Date | null;
  readonly metadata: unknown;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly is_deprecated: boolean;
}

export interface TaxonomyDeletion {
  readonly graph_id: string;
  readonly taxonomy_id: string;
  readonly name: string;
  readonly taxonomy_type: string;
  readonly reason: string;
  readonly facts_deleted: number;
  readonly was_primary_chart: boolean;
  readonly deleted_by: string;
  readonly deleted_at: Date;
}

export interface TaxonomyElement {
  readonly graph_id: string;
  readonly id: string;
  readonly taxonomy_id: string | null;
  readonly qname: string | null;
  readonly code: string | null;
  readonly code_order: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly trait: string | null;
  readonly liquidity: string | null;
  readonly activity_type: string | null;
  readonly sub_classification: string | null;
  readonly balance_type: 'debit' | 'credit' | null;
  readonly period_type: 'instant' | 'duration';
  readonly element_type: 'concept' | 'abstract' | 'axis' | 'member' | 'hypercube';
  readonly item_type: string | null;
  readonly is_abstract: boolean;
  readonly is_monetary: boolean;
  readonly is_active: boolean;
  readonly is_placeholder: boolean;
  readonly source: string;
  readonly parent_id: string | null;
  readonly depth: number;
  readonly currency: string | null;
  readonly external_id: string | null;
  readonly external_source: string | null;
  readonly connection_id: string | null;
  readonly metadata: unknown;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly is_deprecated: boolean;
  readonly replaced_by: string | null;
}

export interface TaxonomyLibraryVersion {
  readonly graph_id: string;
  readonly package: string;
  readonly content_hash: string;
  readonly seeded_at: Date;
}

export interface TaxonomyRule {
  readonly graph_id: string;
  readonly id: string;
  readonly taxonomy_id: string;
  readonly structure_id: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly rule_category: string;
  readonly rule_pattern: string | null;
  readonly rule_check_kind: string | null;
  readonly expression: string;
  readonly variables: unknown;
  readonly severity: 'info' | 'warning' | 'error';
  readonly origin: 'auto' | 'native' | 'forked';
  readonly target_kind: 'structure' | 'element' | 'association' | 'taxonomy' | null;
  readonly target_id: string | null;
  readonly message: string | null;
  readonly metadata: unknown;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface TaxonomyStructure {
  readonly graph_id: string;
  readonly id: string;
  readonly taxonomy_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly block_type: string;
  readonly concept_arrangement: string | null;
  readonly role_uri: string | null;
  readonly is_active: boolean;
  readonly metadata: unknown;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface TaxonomyTaxonomy {
  readonly graph_id: string;
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly taxonomy_type: string;
  readonly standard: string | null;
  readonly version: string | null;
  readonly namespace_uri: string | null;
  readonly parent_taxonomy_id: string | null;
  readonly source_taxonomy_id: string | null;
  readonly target_taxonomy_id: string | null;
  readonly is_locked: boolean;
  readonly is_active: boolean;
  readonly metadata: unknown;
  readonly created_by: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface TaxonomyView {
  readonly graph_id: string;
  readonly framework: string | null;
  readonly overrides: unknown;
  readonly excluded_ids: readonly string[];
  readonly updated_by: string;
  readonly updated_at: Date;
}

/** For `tx.tables<TaxonomyTables>()`. */
export interface TaxonomyTables {
  readonly taxonomy_association: TaxonomyAssociation;
  readonly taxonomy_deletion: TaxonomyDeletion;
  readonly taxonomy_element: TaxonomyElement;
  readonly taxonomy_library_version: TaxonomyLibraryVersion;
  readonly taxonomy_rule: TaxonomyRule;
  readonly taxonomy_structure: TaxonomyStructure;
  readonly taxonomy_taxonomy: TaxonomyTaxonomy;
  readonly taxonomy_view: TaxonomyView;
}
