import { columnsOf, type RowOf } from '@pacioli/core';
import type { TaxonomyAssociation, TaxonomyElement, TaxonomyStructure, TaxonomyTaxonomy } from '../rows.gen.ts';

export const structureColumns = columnsOf<TaxonomyStructure>()(
  'id',
  'name',
  'description',
  'block_type',
  'taxonomy_id',
  'is_active',
);

/** A structure as lists show it. */
export type StructureRow = RowOf<typeof structureColumns>;

export const associationColumns = columnsOf<TaxonomyAssociation>('a')(
  'id',
  'structure_id',
  'from_element_id',
  'to_element_id',
  'association_type',
  'order_value',
  'weight',
  'confidence',
  'suggested_by',
  'approved_by',
);

/** An arc with the names of its ends. */
export type AssociationRow = RowOf<typeof associationColumns> & {
  readonly from_element_name: TaxonomyElement['name'] | null;
  readonly from_element_qname: TaxonomyElement['qname'];
  readonly to_element_name: TaxonomyElement['name'] | null;
  readonly to_element_qname: TaxonomyElement['qname'];
};

/** A countable account with its concept in a mapping. */
export interface CoverageRow {
  readonly account_id: TaxonomyElement['id'];
  readonly account_qname: TaxonomyElement['qname'];
  readonly account_code: TaxonomyElement['code'];
  readonly account_name: TaxonomyElement['name'];
  /** Null for an unmapped account. */
  readonly target_id: TaxonomyAssociation['to_element_id'] | null;
  readonly target_qname: TaxonomyElement['qname'];
  readonly target_name: TaxonomyElement['name'] | null;
  readonly confidence: TaxonomyAssociation['confidence'];
}

/** A countable account without a concept. */
export type UnmappedRow = Pick<
  TaxonomyElement,
  'id' | 'code' | 'name' | 'trait' | 'liquidity' | 'external_source' | 'sub_classification'
> & {
  readonly balance_type: NonNullable<TaxonomyElement['balance_type']>;
  readonly parent_id: TaxonomyElement['id'] | null;
  readonly parent_name: TaxonomyElement['name'] | null;
  readonly parent_trait: TaxonomyElement['trait'];
  /** The concept of the parent in the requested mapping. */
  readonly parent_concept_id: TaxonomyAssociation['to_element_id'] | null;
};

export const taxonomyColumns = columnsOf<TaxonomyTaxonomy>()(
  'id',
  'name',
  'description',
  'taxonomy_type',
  'version',
  'standard',
  'namespace_uri',
  'is_active',
  'is_locked',
  'source_taxonomy_id',
  'target_taxonomy_id',
);

/** A taxonomy as lists show it. */
export type TaxonomyRow = RowOf<typeof taxonomyColumns> & { readonly is_shared: boolean };

export const elementColumns = columnsOf<TaxonomyElement>('e')(
  'id',
  'code',
  'name',
  'description',
  'qname',
  'trait',
  'sub_classification',
  'period_type',
  'is_abstract',
  'element_type',
  'source',
  'taxonomy_id',
  'parent_id',
  'depth',
  'is_active',
  'external_id',
  'external_source',
);

/** An element as lists show it. */
export type ElementRow = RowOf<typeof elementColumns> & {
  readonly namespace: TaxonomyTaxonomy['namespace_uri'];
  readonly balance_type: NonNullable<TaxonomyElement['balance_type']>;
};

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
