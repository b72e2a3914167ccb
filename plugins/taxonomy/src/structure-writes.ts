import { createToken, type Transaction } from '@pacioli/core';

/** The author and time of a write. */
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
  /** Replaces all arcs of `arcTypes` with these. */
  readonly arcs?: readonly NewStructureArc[];
  /** The types of arcs to replace; by default those of `arcs`. Required when `arcs` is empty, to delete any. */
  readonly arcTypes?: readonly string[];
}

/** Structures and their arcs, for the plugins whose blocks they are. Every method works in the caller's transaction. */
export interface StructureWrites {
  /**
   * The id of the graph's own active taxonomy of this type, created with this name when there is none. A taxonomy
   * created for a keeper is found by that keeper only.
   */
  ensureTaxonomy(
    tx: Transaction,
    taxonomy: { readonly type: string; readonly name: string; readonly keeper?: string },
    by: StructureAuthor,
  ): Promise<string>;
  /** An active taxonomy of the graph itself; undefined when the id is not one. */
  findTaxonomy(
    tx: Transaction,
    taxonomyId: string,
  ): Promise<{ readonly name: string; readonly type: string } | undefined>;
  /** Creates a structure and returns its id. One statement for the structure and one for its arcs. */
  create(tx: Transaction, structure: NewStructure, by: StructureAuthor): Promise<string>;
  /** False when the graph has no such structure. */
  patch(tx: Transaction, structureId: string, patch: StructurePatch, by: StructureAuthor): Promise<boolean>;
  /** Sets the item type of an element of the graph itself if it has none; elements of the library stay unchanged. */
  setItemType(tx: Transaction, elementId: string, itemType: string, by: StructureAuthor): Promise<void>;
  /** Deletes structures with their arcs. */
  remove(tx: Transaction, structureIds: readonly string[]): Promise<void>;
}

export const structureWrites = createToken<StructureWrites>('taxonomy.structure-writes');
