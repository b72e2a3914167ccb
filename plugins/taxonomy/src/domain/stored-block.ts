import type { BlockArc, BlockElement, BlockStructure, ChartBlock } from './block.ts';

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
}

/** A stored chart with the ids of everything in it. */
export interface StoredBlock extends ChartBlock {
  readonly head: TaxonomyHead;
  readonly elements: readonly StoredElement[];
  readonly structures: readonly StoredStructure[];
  readonly arcs: readonly StoredArc[];
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
}
