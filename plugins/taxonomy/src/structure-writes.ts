import { createToken, type Transaction } from '@pacioli/core';

/** Who writes a structure and when. */
export interface StructureAuthor {
  readonly userId: string;
  readonly now: Date;
}

/** A structure that another plugin keeps, with its arcs. */
export interface NewStructure {
  readonly taxonomyId: string;
  readonly name: string;
  readonly description?: string | null;
  readonly blockType: string;
  readonly conceptArrangement: string | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly arcs: readonly NewStructureArc[];
}

export interface NewStructureArc {
  readonly fromElementId: string;
  readonly toElementId: string;
  readonly associationType: string;
  readonly arcrole?: string | null;
  readonly order: number;
}

/** Null and absent fields stay as they are. */
export interface StructurePatch {
  readonly name?: string | null;
  /** Merged into the metadata, key by key. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Puts these arcs in the place of all arcs of `arcTypes`. */
  readonly arcs?: readonly NewStructureArc[];
  /** The types of arcs that are replaced; those of `arcs` unless given. An empty list of arcs needs it to take any away. */
  readonly arcTypes?: readonly string[];
}

/** Structures and their arcs, for the plugins whose blocks they are. Every method works in the caller's transaction. */
export interface StructureWrites {
  /**
   * The id of the graph's own active taxonomy of this type; makes one with this name when there is none. What is made for
   * a keeper is found by that keeper only.
   */
  ensureTaxonomy(
    tx: Transaction,
    taxonomy: { readonly type: string; readonly name: string; readonly keeper?: string },
    by: StructureAuthor,
  ): Promise<string>;
  /** An active taxonomy of the graph itself; undefined for what is none. */
  findTaxonomy(
    tx: Transaction,
    taxonomyId: string,
  ): Promise<{ readonly name: string; readonly type: string } | undefined>;
  /** The id of the new structure. One statement for the structure and one for its arcs. */
  create(tx: Transaction, structure: NewStructure, by: StructureAuthor): Promise<string>;
  /** False when the graph has no such structure. */
  patch(tx: Transaction, structureId: string, patch: StructurePatch, by: StructureAuthor): Promise<boolean>;
  /** Says what an element of the graph itself holds, if nothing says so yet; elements of the library stay as they are. */
  setItemType(tx: Transaction, elementId: string, itemType: string, by: StructureAuthor): Promise<void>;
  /** Deletes structures with their arcs. */
  remove(tx: Transaction, structureIds: readonly string[]): Promise<void>;
}

export const structureWrites = createToken<StructureWrites>('taxonomy.structure-writes');
