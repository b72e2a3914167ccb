import type { Transaction } from '@pacioli/core';
import { type RawBuilder, sql } from 'kysely';
import {
  type ElementFilter,
  type ElementRow,
  elementColumns,
  type StructureFilter,
  type StructureRow,
  structureColumns,
  type TaxonomyRow,
  taxonomyColumns,
} from '../models/rows.ts';
import type { TaxonomyElement } from '../rows.gen.ts';
import { libraryGraphId } from '../vocabulary/index.ts';

const maxRows = 1_000;

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
export async function countElements(tx: Transaction): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query(sql<{
    readonly taxonomy_id: NonNullable<TaxonomyElement['taxonomy_id']>;
    readonly total: number;
  }>`select taxonomy_id, count(*)::int as total
    from taxonomy_element where graph_id = ${tx.graphId} and taxonomy_id is not null group by taxonomy_id`);
  return new Map(rows.map(({ taxonomy_id, total }) => [taxonomy_id, total]));
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
