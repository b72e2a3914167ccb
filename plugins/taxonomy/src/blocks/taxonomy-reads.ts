import type { Transaction } from '@pacioli/core';
import { type RawBuilder, sql } from 'kysely';
import { findMapping, listAssociations, listCoverage, listMappings, listUnmapped } from '../charts/index.ts';
import type { ExtensionConcept } from '../checks/index.ts';
import {
  type AssociationRow,
  type CoverageRow,
  type ElementFilter,
  type ElementRow,
  elementColumns,
  type StructureFilter,
  type StructureRow,
  structureColumns,
  type TaxonomyRow,
  taxonomyColumns,
  type UnmappedRow,
} from '../models/rows.ts';
import type { TaxonomyElement, TaxonomyTaxonomy } from '../rows.gen.ts';
import { libraryGraphId } from '../vocabulary/index.ts';
import { listExtensionConcepts, listExtensionTotals } from './extension-concepts.ts';

const maxRows = 1_000;
const maxUnmappedAccounts = 5_000;

/**
 * Reads of the graph's own taxonomies, structures and mappings, without those of the shared library; only `elements`
 * includes the library. Rows have the field names of the GraphQL types.
 */
export interface TaxonomyReads {
  mappings(tx: Transaction): Promise<readonly StructureRow[]>;
  mapping(tx: Transaction, mappingId: string): Promise<StructureRow | undefined>;
  associations(tx: Transaction, structureId: string): Promise<readonly AssociationRow[]>;
  /** Every active account that can have entries, with its concept in the mapping, if any (taxonomy M-16). */
  coverage(tx: Transaction, mappingId: string): Promise<readonly CoverageRow[]>;
  /** The accounts without a concept in the mapping, or in any mapping if none is given; at most 5,000. */
  unmapped(tx: Transaction, mappingId: string | undefined): Promise<readonly UnmappedRow[]>;
  taxonomies(tx: Transaction): Promise<readonly TaxonomyRow[]>;
  /** The number of elements by taxonomy id. */
  elementCounts(tx: Transaction): Promise<ReadonlyMap<string, number>>;
  /** The active structures. */
  structures(tx: Transaction, filter: StructureFilter): Promise<readonly StructureRow[]>;
  /** One page of the active elements of the graph and of the library taxonomies that it sees (taxonomy LB-18). */
  elements(
    tx: Transaction,
    filter: ElementFilter,
  ): Promise<{ readonly elements: readonly ElementRow[]; readonly total: number }>;
  /** The active concepts of the graph's extensions of its framework, by qname, at most 5,000 (taxonomy M-12). */
  extensionConcepts(tx: Transaction): Promise<readonly ExtensionConcept[]>;
  /**
   * The calculation arcs of the graph's extensions: the qname of each item to the qnames of its totals. A concept is
   * reachable if these lead to a total of a statement (taxonomy M-17).
   */
  extensionTotals(tx: Transaction): Promise<ReadonlyMap<string, readonly string[]>>;
  /** The ids of the graph's active extensions of a taxonomy, at most 1,000; an extension has none. */
  extensionsOf(tx: Transaction, taxonomyId: string): Promise<readonly string[]>;
}

/** Finds an element of the graph itself. */
export async function findTenantElement(tx: Transaction, id: string): Promise<{ readonly id: string } | undefined> {
  const rows = await tx.query(
    sql<Pick<TaxonomyElement, 'id'>>`select id from taxonomy_element where graph_id = ${tx.graphId} and id = ${id}`,
  );
  return rows[0];
}

/** The active taxonomies of the graph itself, by name. */
export async function listTaxonomies(tx: Transaction): Promise<readonly TaxonomyRow[]> {
  return tx.query(sql<TaxonomyRow>`select ${taxonomyColumns}, false as is_shared
    from taxonomy_taxonomy where graph_id = ${tx.graphId} and is_active order by name, id limit ${maxRows}`);
}

/** The active structures of the graph itself, by name. */
export async function listStructures(tx: Transaction, filter: StructureFilter): Promise<readonly StructureRow[]> {
  const conditions = [sql`graph_id = ${tx.graphId}`, sql`is_active`];
  if (filter.taxonomyId !== undefined) conditions.push(sql`taxonomy_id = ${filter.taxonomyId}`);
  if (filter.blockType !== undefined) conditions.push(sql`block_type = ${filter.blockType}`);
  return tx.query(sql<StructureRow>`select ${structureColumns}
    from taxonomy_structure where ${sql.join(conditions, sql` and `)} order by name, id limit ${maxRows}`);
}

/** One page of active elements of the graph and of the library taxonomies that it sees (taxonomy LB-18). */
export async function listElements(
  tx: Transaction,
  filter: ElementFilter,
): Promise<{ readonly elements: readonly ElementRow[]; readonly total: number }> {
  const where = elementFilter(tx, filter);
  const rows = await tx.query(sql<ElementRow & { total: number }>`select ${elementColumns},
      t.namespace_uri as namespace, coalesce(e.balance_type, 'debit') as balance_type, (count(*) over ())::int as total
    from taxonomy_element e
    left join taxonomy_taxonomy t on t.graph_id = e.graph_id and t.id = e.taxonomy_id
    where ${where}
    order by e.depth, e.code_order nulls last, e.qname nulls last, e.id limit ${filter.limit} offset ${filter.offset}`);
  const [first] = rows;
  if (first !== undefined) return { elements: rows.map(({ total, ...row }) => row), total: first.total };
  const counted = await tx.query(
    sql<{ total: number }>`select count(*)::int as total from taxonomy_element e where ${where}`,
  );
  return { elements: [], total: counted[0]?.total ?? 0 };
}

/** The number of elements of each taxonomy of the graph itself, by taxonomy id. */
async function countElements(tx: Transaction): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query(sql<{
    readonly taxonomy_id: NonNullable<TaxonomyElement['taxonomy_id']>;
    readonly total: number;
  }>`select taxonomy_id, count(*)::int as total
    from taxonomy_element where graph_id = ${tx.graphId} and taxonomy_id is not null group by taxonomy_id`);
  return new Map(rows.map(({ taxonomy_id, total }) => [taxonomy_id, total]));
}

async function listExtensionsOf(tx: Transaction, taxonomyId: string): Promise<readonly string[]> {
  const rows = await tx.query(sql<Pick<TaxonomyTaxonomy, 'id'>>`select id from taxonomy_taxonomy
    where graph_id = ${tx.graphId} and parent_taxonomy_id = ${taxonomyId} and taxonomy_type = 'reporting_extension'
      and is_active order by id limit ${maxRows}`);
  return rows.map(({ id }) => id);
}

function elementFilter(tx: Transaction, filter: ElementFilter): RawBuilder<unknown> {
  const conditions = [
    sql`(e.graph_id = ${tx.graphId}
      or (e.graph_id = ${libraryGraphId} and e.taxonomy_id = any(${filter.libraryTaxonomyIds}::text[])))`,
    sql`e.is_active`,
  ];
  if (filter.taxonomyId !== undefined) conditions.push(sql`e.taxonomy_id = ${filter.taxonomyId}`);
  if (filter.source !== undefined) conditions.push(sql`e.source = ${filter.source}`);
  if (filter.trait !== undefined) conditions.push(sql`e.trait = ${filter.trait}`);
  if (filter.isAbstract !== undefined) conditions.push(sql`e.is_abstract = ${filter.isAbstract}`);
  return sql.join(conditions, sql` and `);
}

/** The rows as stored. */
export const storedTaxonomyReads: TaxonomyReads = {
  mappings: listMappings,
  mapping: findMapping,
  associations: listAssociations,
  coverage: listCoverage,
  unmapped: (tx, mappingId) => listUnmapped(tx, mappingId, maxUnmappedAccounts),
  taxonomies: listTaxonomies,
  structures: listStructures,
  elements: listElements,
  elementCounts: countElements,
  extensionConcepts: listExtensionConcepts,
  extensionTotals: listExtensionTotals,
  extensionsOf: listExtensionsOf,
};
