/** An element with the fields that the library queries show, named as on the wire. */
export interface ShownElement {
  readonly id: string;
  /** The id where the element has no qname. */
  readonly qname: string;
  readonly namespace: string | null;
  readonly name: string;
  readonly trait: string | null;
  /** Debit where the concept has no side. */
  readonly balance_type: string;
  readonly period_type: string;
  readonly is_abstract: boolean;
  readonly is_monetary: boolean;
  readonly element_type: string;
  readonly source: string;
  readonly taxonomy_id: string | null;
  readonly parent_id: string | null;
  readonly liquidity: string | null;
  readonly activity_type: string | null;
  readonly description: string | null;
}

export interface ShownTaxonomy {
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
}

export interface ShownStructure {
  readonly id: string;
  readonly name: string;
  readonly block_type: string;
  readonly taxonomy_id: string;
  readonly role_uri: string | null;
  readonly is_active: boolean;
}

export interface LibraryArcRow {
  readonly id: string;
  readonly structure_id: string;
  readonly structure_name: string | null;
  readonly from_element_id: string;
  readonly from_element_qname: string | null;
  readonly from_element_name: string | null;
  readonly from_element_trait: string | null;
  readonly from_element_is_abstract: boolean | null;
  readonly to_element_id: string;
  readonly to_element_qname: string | null;
  readonly to_element_name: string | null;
  readonly to_element_trait: string | null;
  readonly to_element_is_abstract: boolean | null;
  readonly association_type: string;
  readonly arcrole: string | null;
  readonly order_value: number | null;
  readonly weight: number | null;
}

/** An arc of a mapping or bridge, seen from one of its ends. */
export interface PeerArcRow {
  readonly id: string;
  readonly direction: 'outgoing' | 'incoming';
  readonly peer_id: string;
  readonly association_type: string;
  readonly arcrole: string | null;
  readonly taxonomy_id: string;
  readonly taxonomy_standard: string | null;
  readonly taxonomy_name: string;
  readonly structure_id: string;
  readonly structure_name: string;
}

export interface LibraryTreeArc {
  readonly parent_id: string;
  readonly child_id: string;
  /** The lowest order among the networks that contain the arc. */
  readonly order_value: number;
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
