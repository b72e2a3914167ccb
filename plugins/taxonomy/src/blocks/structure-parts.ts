import { ServiceError, type Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import {
  type ConnectionPart,
  connectionPartColumns,
  type ElementPart,
  elementPartColumns,
  type StructurePart,
  type StructurePartFilter,
} from '../models/structure-parts.ts';
import type { TaxonomyElement } from '../rows.gen.ts';
import { libraryGraphId, visible, visibleInUse } from '../vocabulary/index.ts';

const maxConnections = 50_000;

/** The parts of an information block; each method is one statement for any number of ids. */
export interface StructureParts {
  find(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, StructurePart>>;
  list(tx: Transaction, filter: StructurePartFilter): Promise<readonly StructurePart[]>;
  connections(tx: Transaction, structureIds: readonly string[]): Promise<readonly ConnectionPart[]>;
  elements(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ElementPart>>;
  elementIdsByQname(tx: Transaction, qnames: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The structures with these ids, by id, the graph's own before the library's; unknown ids are absent. */
async function findStructureParts(
  tx: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StructurePart>> {
  const rows = await tx.query(sql<StructurePart>`select ${structureColumns} from ${structureTables}
    where ${visible(tx, 's')} and s.id = any(${[...ids]}::text[]) order by (s.graph_id = ${libraryGraphId}) desc`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** One page of active structures: the graph's own first, then by type, name and id (reporting B-17). */
async function listStructureParts(tx: Transaction, filter: StructurePartFilter): Promise<readonly StructurePart[]> {
  return tx.query(sql<StructurePart>`select ${structureColumns} from ${structureTables}
    where ${visible(tx, 's')} and s.is_active and s.block_type = any(${[...filter.blockTypes]}::text[])
      and (s.block_type <> all(${[...filter.typesNeedingPresentation]}::text[]) or exists (
        select from taxonomy_association p
        where p.graph_id = s.graph_id and p.structure_id = s.id and p.association_type = 'presentation' and not p.is_deprecated))
    order by (s.graph_id = ${libraryGraphId}), s.block_type collate "C", s.name, s.id
    limit ${filter.limit} offset ${filter.offset}`);
}

/**
 * The arcs of the structures, by structure, order and id; more than 50,000 are rejected, because a truncated structure
 * would be wrong.
 */
async function listConnectionParts(
  tx: Transaction,
  structureIds: readonly string[],
): Promise<readonly ConnectionPart[]> {
  const rows =
    await tx.query(sql<ConnectionPart>`select ${connectionPartColumns}, a.metadata->>'preferred_label' as "preferredLabel"
    from taxonomy_association a
    where ${visibleInUse(tx, 'a')} and a.structure_id = any(${[...structureIds]}::text[])
    order by a.structure_id, a.association_type, a.order_value, a.id limit ${maxConnections + 1}`);
  if (rows.length <= maxConnections) return rows;
  const message = `More than ${maxConnections} arcs would be read at once. Request fewer structures.`;
  throw new ServiceError('too_large', 'TOO_MANY_ARCS', message);
}

/** The elements with these ids, by id, of the graph or of the library; unknown ids are absent. */
async function findElementParts(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ElementPart>> {
  const rows = await tx.query(sql<ElementPart>`select ${elementPartColumns}
    from taxonomy_element e
    where ${visible(tx, 'e')} and e.id = any(${[...ids]}::text[]) order by (e.graph_id = ${libraryGraphId}) desc`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The ids of the elements with these qnames, by qname: the graph's own before the library's. */
async function findElementIdsByQname(tx: Transaction, qnames: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query(sql<
    Pick<TaxonomyElement, 'id'> & { readonly qname: NonNullable<TaxonomyElement['qname']> }
  >`select e.id, e.qname from taxonomy_element e
    where ${visible(tx, 'e')} and e.qname = any(${[...qnames]}::text[])
    order by (e.graph_id = ${libraryGraphId}) desc`);
  return new Map(rows.map(({ id, qname }) => [qname, id]));
}

const structureColumns = sql`s.id, s.name, s.description, s.block_type as "blockType",
  s.concept_arrangement as "conceptArrangement", s.metadata->>'member_arrangement' as "memberArrangement",
  s.taxonomy_id as "taxonomyId", t.name as "taxonomyName", s.metadata, s.graph_id = ${libraryGraphId} as "isShared",
  d.qname as "disclosureId"`;
const structureTables = sql`taxonomy_structure s
  left join taxonomy_taxonomy t on t.graph_id = s.graph_id and t.id = s.taxonomy_id
  left join lateral (select e.qname from taxonomy_association a
    join taxonomy_element e on e.graph_id = a.graph_id and e.id = a.from_element_id
    where a.graph_id = s.graph_id and a.to_element_id = s.id
      and a.arcrole like '%reportedDisclosure-requiresDisclosure' order by e.qname limit 1) d on true`;

/** The structures and elements as stored, of the graph and of the library. */
export const storedStructureParts: StructureParts = {
  find: findStructureParts,
  list: listStructureParts,
  connections: listConnectionParts,
  elements: findElementParts,
  elementIdsByQname: findElementIdsByQname,
};
