import type { Block, BlockArc, BlockElement, BlockRule, BlockStructure } from './block.ts';

/** The stored row of a taxonomy. */
export interface TaxonomyHead {
  readonly id: string;
  readonly name: string;
  readonly taxonomy_type: string;
  readonly version: string | null;
  readonly standard: string | null;
  readonly namespace_uri: string | null;
  readonly is_locked: boolean;
  readonly source_taxonomy_id: string | null;
  readonly parent_taxonomy_id: string | null;
  readonly parent_taxonomy_name: string | null;
}

/** A stored taxonomy with the ids of everything in it. */
export interface StoredBlock extends Block {
  readonly head: TaxonomyHead;
  readonly elements: readonly StoredElement[];
  readonly structures: readonly StoredStructure[];
  readonly arcs: readonly StoredArc[];
  readonly rules: readonly StoredRule[];
}

export interface StoredRule extends BlockRule {
  readonly id: string;
}

export interface StoredElement extends BlockElement {
  readonly id: string;
  readonly depth: number;
}

export interface StoredStructure extends BlockStructure {
  readonly id: string;
  readonly taxonomyId: string;
}

export interface StoredArc extends BlockArc {
  readonly id: string;
  readonly fromId: string;
  readonly toId: string;
  /** The taxonomies of the ends; undefined where the end does not exist any more. */
  readonly fromTaxonomyId: string | null | undefined;
  readonly toTaxonomyId: string | null | undefined;
}
