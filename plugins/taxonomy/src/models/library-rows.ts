import { columnsOf, type RowOf } from '@pacioli/core';
import type { TaxonomyAssociation, TaxonomyElement, TaxonomyStructure, TaxonomyTaxonomy } from '../rows.gen.ts';

export const shownElementColumns = columnsOf<TaxonomyElement>('e')(
  'id',
  'name',
  'trait',
  'period_type',
  'is_abstract',
  'is_monetary',
  'element_type',
  'source',
  'taxonomy_id',
  'parent_id',
  'liquidity',
  'activity_type',
  'description',
);

/** An element with the fields that the library queries show, named as on the wire. */
export type ShownElement = RowOf<typeof shownElementColumns> & {
  /** The id where the element has no qname. */
  readonly qname: string;
  readonly namespace: TaxonomyTaxonomy['namespace_uri'];
  /** Debit where the concept has no side. */
  readonly balance_type: string;
};

export const shownTaxonomyColumns = columnsOf<TaxonomyTaxonomy>('t')(
  'id',
  'name',
  'description',
  'taxonomy_type',
  'version',
  'standard',
  'namespace_uri',
  'is_active',
  'is_locked',
);

export type ShownTaxonomy = RowOf<typeof shownTaxonomyColumns> & { readonly is_shared: boolean };

export const shownStructureColumns = columnsOf<TaxonomyStructure>('s')(
  'id',
  'name',
  'block_type',
  'taxonomy_id',
  'role_uri',
  'is_active',
);

export type ShownStructure = RowOf<typeof shownStructureColumns>;

export type LibraryArcRow = Pick<
  TaxonomyAssociation,
  | 'id'
  | 'structure_id'
  | 'from_element_id'
  | 'to_element_id'
  | 'association_type'
  | 'arcrole'
  | 'order_value'
  | 'weight'
> & {
  readonly structure_name: TaxonomyStructure['name'];
  readonly from_element_qname: TaxonomyElement['qname'];
  readonly from_element_name: TaxonomyElement['name'] | null;
  readonly from_element_trait: TaxonomyElement['trait'];
  readonly from_element_is_abstract: TaxonomyElement['is_abstract'] | null;
  readonly to_element_qname: TaxonomyElement['qname'];
  readonly to_element_name: TaxonomyElement['name'] | null;
  readonly to_element_trait: TaxonomyElement['trait'];
  readonly to_element_is_abstract: TaxonomyElement['is_abstract'] | null;
};

/** An arc of a mapping or bridge, seen from one of its ends. */
export type PeerArcRow = Pick<TaxonomyAssociation, 'id' | 'association_type' | 'arcrole'> & {
  readonly direction: 'outgoing' | 'incoming';
  readonly peer_id: TaxonomyAssociation['from_element_id'];
  readonly taxonomy_id: TaxonomyTaxonomy['id'];
  readonly taxonomy_standard: TaxonomyTaxonomy['standard'];
  readonly taxonomy_name: TaxonomyTaxonomy['name'];
  readonly structure_id: TaxonomyStructure['id'];
  readonly structure_name: TaxonomyStructure['name'];
};

export interface LibraryTreeArc {
  readonly parent_id: TaxonomyAssociation['from_element_id'];
  readonly child_id: TaxonomyAssociation['to_element_id'];
  /** The lowest order among the networks that contain the arc. */
  readonly order_value: TaxonomyAssociation['order_value'];
}

export interface LibraryArcFilter {
  readonly taxonomyId: string;
  readonly associationType?: string;
  readonly structureId?: string;
}

export interface LibraryStructureFilter {
  readonly taxonomyId?: string;
  readonly blockType?: string;
  /** Packages excluded from the list. */
  readonly hiddenTaxonomyIds: readonly string[];
}

export interface LibraryElementFilter {
  /** Concepts that the graph hides from its lists (taxonomy LB-10). */
  readonly excludedIds: readonly string[];
  readonly taxonomyId?: string;
  readonly source?: string;
  readonly trait?: string;
  readonly activityType?: string;
  readonly elementType?: string;
  readonly isAbstract?: boolean;
  /** Packages excluded from the list. */
  readonly hiddenTaxonomyIds: readonly string[];
}
