import type { TaxonomyAssociation, TaxonomyElement, TaxonomyStructure, TaxonomyTaxonomy } from '../rows.gen.ts';

/** A structure of the graph or of the library, with the fields that blocks show. */
export type StructurePart = Pick<TaxonomyStructure, 'id' | 'name' | 'description'> & {
  readonly blockType: TaxonomyStructure['block_type'];
  readonly conceptArrangement: TaxonomyStructure['concept_arrangement'];
  readonly memberArrangement: string | null;
  readonly taxonomyId: TaxonomyStructure['taxonomy_id'];
  readonly taxonomyName: TaxonomyTaxonomy['name'] | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** True for a structure of the shipped library. */
  readonly isShared: boolean;
  /** The qname of the disclosure that requires the structure (reporting B-11). */
  readonly disclosureId: TaxonomyElement['qname'];
};

export type ElementPart = Pick<TaxonomyElement, 'id' | 'qname' | 'name' | 'code' | 'trait' | 'description'> & {
  readonly elementType: TaxonomyElement['element_type'];
  readonly isAbstract: TaxonomyElement['is_abstract'];
  readonly isMonetary: TaxonomyElement['is_monetary'];
  readonly balanceType: TaxonomyElement['balance_type'];
  readonly periodType: TaxonomyElement['period_type'];
  readonly itemType: TaxonomyElement['item_type'];
};

export type ConnectionPart = Pick<TaxonomyAssociation, 'id' | 'arcrole' | 'weight'> & {
  readonly structureId: TaxonomyAssociation['structure_id'];
  readonly fromElementId: TaxonomyAssociation['from_element_id'];
  readonly toElementId: TaxonomyAssociation['to_element_id'];
  readonly associationType: TaxonomyAssociation['association_type'];
  readonly orderValue: TaxonomyAssociation['order_value'];
};

export interface StructurePartFilter {
  /** Only structures of these types. */
  readonly blockTypes: readonly string[];
  /** Structures of these types only if they have a presentation arc (reporting B-17). */
  readonly typesNeedingPresentation: readonly string[];
  readonly limit: number;
  readonly offset: number;
}
