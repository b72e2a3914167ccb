import { columnsOf, type RowOf } from '@pacioli/core';
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

export const elementPartColumns = columnsOf<TaxonomyElement>('e')({
  id: 'id',
  qname: 'qname',
  name: 'name',
  code: 'code',
  elementType: 'element_type',
  isAbstract: 'is_abstract',
  isMonetary: 'is_monetary',
  balanceType: 'balance_type',
  periodType: 'period_type',
  itemType: 'item_type',
  trait: 'trait',
  description: 'description',
});

export type ElementPart = RowOf<typeof elementPartColumns>;

export const connectionPartColumns = columnsOf<TaxonomyAssociation>('a')({
  id: 'id',
  structureId: 'structure_id',
  fromElementId: 'from_element_id',
  toElementId: 'to_element_id',
  associationType: 'association_type',
  arcrole: 'arcrole',
  orderValue: 'order_value',
  weight: 'weight',
});

export type ConnectionPart = RowOf<typeof connectionPartColumns> & {
  /** The role of the label that a presentation prefers, as its author wrote it. */
  readonly preferredLabel: string | null;
};

export interface StructurePartFilter {
  /** Only structures of these types. */
  readonly blockTypes: readonly string[];
  /** Structures of these types only if they have a presentation arc (reporting B-17). */
  readonly typesNeedingPresentation: readonly string[];
  readonly limit: number;
  readonly offset: number;
}
