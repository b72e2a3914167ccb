import type { TaxonomyTaxonomy } from '../rows.gen.ts';
import type { Block, BlockArc, BlockElement, BlockRule, BlockStructure } from './block.ts';

/** The stored row of a taxonomy. */
export type TaxonomyHead = Pick<
  TaxonomyTaxonomy,
  | 'id'
  | 'name'
  | 'taxonomy_type'
  | 'version'
  | 'standard'
  | 'namespace_uri'
  | 'is_locked'
  | 'source_taxonomy_id'
  | 'parent_taxonomy_id'
> & { readonly parent_taxonomy_name: TaxonomyTaxonomy['name'] | null };

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
  /** The taxonomies of the ends; undefined where the end no longer exists. */
  readonly fromTaxonomyId: string | null | undefined;
  readonly toTaxonomyId: string | null | undefined;
}
