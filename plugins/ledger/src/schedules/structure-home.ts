import { invalidInput, notFound, type Transaction } from '@pacioli/core';
import type { StructureWrites } from '@pacioli/taxonomy';

/** The taxonomies that accept the structures of a kind of block (taxonomy 1.6). */
export interface StructureHomes {
  /** The name of the block in messages. */
  readonly kind: string;
  readonly types: readonly string[];
}

/** The taxonomy that a caller named, if it accepts the structures: 404 when unknown, 422 when of another type. */
export async function requireHome(
  structures: StructureWrites,
  tx: Transaction,
  taxonomyId: string,
  { kind, types }: StructureHomes,
): Promise<string> {
  const taxonomy = await structures.findTaxonomy(tx, taxonomyId);
  if (taxonomy === undefined) throw notFound(`Taxonomy not found: ${taxonomyId}`);
  if (types.includes(taxonomy.type)) return taxonomyId;
  throw invalidInput(
    `taxonomy_id: ${taxonomy.name} is of type ${taxonomy.type}, which accepts no ${kind}. Omit taxonomy_id, or name a taxonomy of type ${types.join(' or ')}.`,
  );
}
