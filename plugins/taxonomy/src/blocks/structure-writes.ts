import type { Ids, Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { TaxonomyTaxonomy } from '../rows.gen.ts';
import { associationTable, insertRows, structureTable, taxonomyTable } from '../values/index.ts';
import { targetsArcsOf } from './write-rules.ts';

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

/** Writes structures on behalf of the plugins that keep them as blocks. */
export class StoredStructureWrites implements StructureWrites {
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  async ensureTaxonomy(
    tx: Transaction,
    taxonomy: { readonly type: string; readonly name: string; readonly keeper?: string },
    by: StructureAuthor,
  ): Promise<string> {
    const graphId = tx.graphId;
    // Two concurrent first blocks must not create two taxonomies.
    await tx.query(
      sql`select pg_advisory_xact_lock(hashtextextended(${`pacioli.taxonomy.${graphId}.${taxonomy.type}`}, 0))`,
    );
    const [found] = await tx.query(sql<Pick<TaxonomyTaxonomy, 'id'>>`
      select id from taxonomy_taxonomy where graph_id = ${graphId} and taxonomy_type = ${taxonomy.type} and is_active
        and metadata->>'keeper' is not distinct from ${taxonomy.keeper ?? null}::text
      order by created_at, id limit 1`);
    if (found !== undefined) return found.id;
    const id = this.#ids.make('tax');
    const metadata = taxonomy.keeper === undefined ? {} : { keeper: taxonomy.keeper };
    const row = { graph_id: graphId, id, name: taxonomy.name, taxonomy_type: taxonomy.type, ...stamps(by) };
    await insertRows(tx, taxonomyTable, [{ ...row, is_locked: false, metadata }]);
    return id;
  }

  async findTaxonomy(
    tx: Transaction,
    taxonomyId: string,
  ): Promise<{ readonly name: string; readonly type: string } | undefined> {
    const [row] = await tx.query(sql<
      Pick<TaxonomyTaxonomy, 'name'> & { readonly type: TaxonomyTaxonomy['taxonomy_type'] }
    >`
      select name, taxonomy_type as type from taxonomy_taxonomy
      where graph_id = ${tx.graphId} and id = ${taxonomyId} and is_active`);
    return row;
  }

  async create(tx: Transaction, structure: NewStructure, by: StructureAuthor): Promise<string> {
    const id = this.#ids.make('struct');
    const row = {
      graph_id: tx.graphId,
      id,
      taxonomy_id: structure.taxonomyId,
      name: structure.name,
      description: structure.description ?? null,
      block_type: structure.blockType,
      concept_arrangement: structure.conceptArrangement,
      metadata: structure.metadata ?? {},
      ...stamps(by),
    };
    await insertRows(tx, structureTable, [row]);
    await this.#addArcs(tx, id, structure.arcs, by);
    return id;
  }

  async patch(tx: Transaction, structureId: string, patch: StructurePatch, by: StructureAuthor): Promise<boolean> {
    const graphId = tx.graphId;
    const patched = await tx.query(sql`
      update taxonomy_structure set name = coalesce(${patch.name ?? null}, name),
        metadata = metadata || ${JSON.stringify(patch.metadata ?? {})}::text::jsonb, updated_at = ${by.now}
      where graph_id = ${graphId} and id = ${structureId} returning id`);
    if (patched.length === 0) return false;
    if (patch.arcs === undefined) return true;
    const types = [...new Set(patch.arcTypes ?? patch.arcs.map((arc) => arc.associationType))];
    await tx.query(sql`
      delete from taxonomy_association where graph_id = ${graphId} and structure_id = ${structureId}
        and association_type = any (${types}::text[])`);
    await this.#addArcs(tx, structureId, patch.arcs, by);
    return true;
  }

  async setItemType(tx: Transaction, elementId: string, itemType: string, by: StructureAuthor): Promise<void> {
    await tx.query(sql`update taxonomy_element set item_type = ${itemType}, updated_at = ${by.now}
      where graph_id = ${tx.graphId} and id = ${elementId} and item_type is null`);
  }

  async remove(tx: Transaction, structureIds: readonly string[]): Promise<void> {
    const ids = [...structureIds];
    // Rules that a taxonomy block created for one of them would have no target (taxonomy T-38).
    await tx.query(sql`delete from taxonomy_rule r where r.graph_id = ${tx.graphId} and (
      (r.target_kind = 'structure' and r.target_id = any (${ids}::text[])) or ${targetsArcsOf(tx, ids)})`);
    await deleteStructures(tx, ids);
  }

  async #addArcs(
    tx: Transaction,
    structureId: string,
    arcs: readonly NewStructureArc[],
    by: StructureAuthor,
  ): Promise<void> {
    const rows = arcs.map((arc) => ({
      graph_id: tx.graphId,
      id: this.#ids.make('assoc'),
      structure_id: structureId,
      from_element_id: arc.fromElementId,
      to_element_id: arc.toElementId,
      association_type: arc.associationType,
      arcrole: arc.arcrole ?? null,
      order_value: arc.order,
      metadata: {},
      ...stamps(by),
    }));
    await insertRows(tx, associationTable, rows);
  }
}

/** Deletes structures with their arcs. */
export async function deleteStructures(tx: Transaction, ids: readonly string[]): Promise<void> {
  const graphId = tx.graphId;
  await tx.query(
    sql`delete from taxonomy_association where graph_id = ${graphId} and structure_id = any (${[...ids]}::text[])`,
  );
  await tx.query(sql`delete from taxonomy_structure where graph_id = ${graphId} and id = any (${[...ids]}::text[])`);
}

function stamps(by: StructureAuthor): { created_by: string; created_at: string; updated_at: string } {
  const at = by.now.toISOString();
  return { created_by: by.userId, created_at: at, updated_at: at };
}
