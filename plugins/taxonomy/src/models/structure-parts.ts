/** A structure of the graph or of the library, with the fields that blocks show. */
export interface StructurePart {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly blockType: string;
  readonly conceptArrangement: string | null;
  readonly memberArrangement: string | null;
  readonly taxonomyId: string;
  readonly taxonomyName: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** True for a structure of the shipped library. */
  readonly isShared: boolean;
  /** The qname of the disclosure that requires the structure (reporting B-11). */
  readonly disclosureId: string | null;
}

export interface ElementPart {
  readonly id: string;
  readonly qname: string | null;
  readonly name: string;
  readonly code: string | null;
  readonly elementType: string;
  readonly isAbstract: boolean;
  readonly isMonetary: boolean;
  readonly balanceType: string | null;
  readonly periodType: string;
  readonly itemType: string | null;
  readonly trait: string | null;
  readonly description: string | null;
}

export interface ConnectionPart {
  readonly id: string;
  readonly structureId: string;
  readonly fromElementId: string;
  readonly toElementId: string;
  readonly associationType: string;
  readonly arcrole: string | null;
  readonly orderValue: number;
  readonly weight: number | null;
}

export interface StructurePartFilter {
  /** Only structures of these types. */
  readonly blockTypes: readonly string[];
  /** Structures of these types only if they have a presentation arc (reporting B-17). */
  readonly typesNeedingPresentation: readonly string[];
  readonly limit: number;
  readonly offset: number;
}
