import type { Transaction } from '@pacioli/core';
import { type RawBuilder, sql } from 'kysely';
import {
  type LibraryArcFilter,
  type LibraryArcRow,
  type LibraryElementFilter,
  type LibraryStructureFilter,
  type LibraryTreeArc,
  type PeerArcRow,
  type ShownElement,
  type ShownStructure,
  type ShownTaxonomy,
  shownElementColumns,
  shownStructureColumns,
  shownTaxonomyColumns,
} from '../models/library-rows.ts';
import type { TaxonomyElement } from '../rows.gen.ts';
import { libraryGraphId, visible, visibleInUse } from '../vocabulary/index.ts';

/** Reads over the graph's own rows and the shared library at once (taxonomy LB-14, LB-15). */
export interface LibraryReads {
  /** Prefers the graph's own element to the library's; the qname is compared case-sensitively. */
  element(tx: Transaction, by: { readonly id: string } | { readonly qname: string }): Promise<ShownElement | undefined>;
  /** Elements by id; unknown ids are missing from the map. */
  elements(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ShownElement>>;
  /** The active elements of the graph and the library by qname, one page at a time (taxonomy LB-14). */
  list(
    tx: Transaction,
    filter: LibraryElementFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly ShownElement[]>;
  /** The graph's own active elements whose qname or name contains any of the lower-case words, at most 5,000. */
  ownLike(tx: Transaction, words: readonly string[], source: string | undefined): Promise<readonly ShownElement[]>;
  /** A standard without a version means its newest active version. */
  taxonomy(
    tx: Transaction,
    by: { readonly id: string } | { readonly standard: string; readonly version: string | null },
  ): Promise<ShownTaxonomy | undefined>;
  elementCount(tx: Transaction, taxonomyId: string): Promise<number>;
  taxonomyArcs(
    tx: Transaction,
    filter: LibraryArcFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly LibraryArcRow[]>;
  taxonomyArcCount(tx: Transaction, filter: LibraryArcFilter): Promise<number>;
  /** The arcs of an element in mappings and between frameworks, in both directions; at most 5,000. */
  peerArcs(tx: Transaction, elementId: string): Promise<readonly PeerArcRow[]>;
  /** The elements that equivalence arcs connect to an element, in either direction; at most 5,000. */
  equivalentIds(tx: Transaction, elementId: string): Promise<readonly string[]>;
  /** The presentation arcs from the parents to their children, ordered within each parent; at most 20,000. */
  treeArcs(
    tx: Transaction,
    parentIds: readonly string[],
    structureId: string | undefined,
  ): Promise<readonly LibraryTreeArc[]>;
  /** At most 1,000 structures. */
  structures(tx: Transaction, filter: LibraryStructureFilter): Promise<readonly ShownStructure[]>;
  structure(tx: Transaction, id: string): Promise<ShownStructure | undefined>;
}

const maxArcsPerElement = 5_000;
const maxOwnElementsSearched = 5_000;
const maxStructures = 1_000;
const maxTreeArcsPerLevel = 20_000;

const elementColumns = sql`${shownElementColumns}, coalesce(e.qname, e.id) as qname, t.namespace_uri as namespace,
  coalesce(e.balance_type, 'debit') as balance_type`;
const elementTables = sql`taxonomy_element e
  left join taxonomy_taxonomy t on t.graph_id = e.graph_id and t.id = e.taxonomy_id`;
const taxonomyColumns = sql`${shownTaxonomyColumns}, t.graph_id = ${libraryGraphId} as is_shared`;

/**
 * One element of the graph or of the library, the graph's own first (taxonomy LB-15). The caller resolves the aliases
 * of a shipped prefix.
 */
async function findShownElement(
  tx: Transaction,
  by: { readonly id: string } | { readonly qname: string },
): Promise<ShownElement | undefined> {
  const condition = 'id' in by ? sql`e.id = ${by.id}` : sql`e.qname = ${by.qname}`;
  const rows = await tx.query(sql<ShownElement>`select ${elementColumns} from ${elementTables}
    where ${visible(tx, 'e')} and ${condition} order by ${ownFirst(tx, 'e')} limit 1`);
  return rows[0];
}

/** The elements with these ids, by id; unknown ids are absent. */
async function findShownElements(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, ShownElement>> {
  const rows = await tx.query(sql<ShownElement>`select ${elementColumns} from ${elementTables}
    where ${visible(tx, 'e')} and e.id = any(${ids}::text[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** One active taxonomy by id, or the newest version of a standard; undefined when there is none. */
async function findShownTaxonomy(
  tx: Transaction,
  by: { readonly id: string } | { readonly standard: string; readonly version: string | null },
): Promise<ShownTaxonomy | undefined> {
  const condition =
    'id' in by
      ? sql`t.id = ${by.id}`
      : sql`t.standard = ${by.standard} and ${by.version === null ? sql`true` : sql`t.version = ${by.version}`}`;
  const rows = await tx.query(sql<ShownTaxonomy>`select ${taxonomyColumns} from taxonomy_taxonomy t
    where ${visible(tx, 't')} and t.is_active and ${condition}
    order by ${ownFirst(tx, 't')}, substring(t.version from '\\d+')::numeric desc nulls last, t.version desc, t.id
    limit 1`);
  return rows[0];
}

/** One page of the active elements that the graph sees, its own and the library's, by qname (taxonomy LB-14). */
export async function listShownElements(
  tx: Transaction,
  filter: LibraryElementFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly ShownElement[]> {
  const conditions = [visibleInUse(tx, 'e'), sql`e.is_active`];
  if (filter.hiddenTaxonomyIds.length > 0) {
    conditions.push(sql`(e.taxonomy_id is null or e.taxonomy_id <> all(${filter.hiddenTaxonomyIds}::text[]))`);
  }
  if (filter.excludedIds.length > 0) conditions.push(sql`e.id <> all(${filter.excludedIds}::text[])`);
  if (filter.taxonomyId !== undefined) conditions.push(sql`e.taxonomy_id = ${filter.taxonomyId}`);
  if (filter.source !== undefined) conditions.push(sql`e.source = ${filter.source}`);
  if (filter.trait !== undefined) conditions.push(sql`e.trait = ${filter.trait}`);
  if (filter.activityType !== undefined) conditions.push(sql`e.activity_type = ${filter.activityType}`);
  if (filter.elementType !== undefined) conditions.push(sql`e.element_type = ${filter.elementType}`);
  if (filter.isAbstract !== undefined) conditions.push(sql`e.is_abstract = ${filter.isAbstract}`);
  return tx.query(sql<ShownElement>`select ${elementColumns} from ${elementTables}
    where ${sql.join(conditions, sql` and `)}
    order by coalesce(e.qname, e.id) collate "C", e.id limit ${page.limit} offset ${page.offset}`);
}

/**
 * The graph's own active elements whose qname or name contains any of the words, at most 5,000; a search ranks them
 * together with the library's (taxonomy LB-14, LB-16).
 */
async function listOwnElementsLike(
  tx: Transaction,
  words: readonly string[],
  source: string | undefined,
): Promise<readonly ShownElement[]> {
  const ofSource = source === undefined ? sql`` : sql`and e.source = ${source}`;
  return tx.query(sql<ShownElement>`select ${elementColumns} from ${elementTables}
    where e.graph_id = ${tx.graphId} and e.is_active ${ofSource}
      and exists (select from unnest(${words}::text[]) as w (word)
        where strpos(lower(coalesce(e.qname, '') || ' ' || e.name), w.word) > 0)
    order by e.id limit ${maxOwnElementsSearched}`);
}

/** Counts the elements of a taxonomy. */
async function countElementsOf(tx: Transaction, taxonomyId: string): Promise<number> {
  const rows = await tx.query(sql<{ total: number }>`select count(*)::int as total from taxonomy_element e
    where ${visibleInUse(tx, 'e')} and e.taxonomy_id = ${taxonomyId}`);
  return rows[0]?.total ?? 0;
}

/** One page of a taxonomy's arcs by structure name, source and order. */
async function listTaxonomyArcs(
  tx: Transaction,
  filter: LibraryArcFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly LibraryArcRow[]> {
  // Each table is read once and joined by hash. This needs the statistics that seeding gathers; without them, the plan
  // compares every arc with every element.
  return tx.query(sql<LibraryArcRow>`
    with ${arcsOf(tx, filter)}, ends as materialized (
      select e.id, e.qname, e.name, e.trait, e.is_abstract from taxonomy_element e
      where ${visible(tx, 'e')} and e.id in (select from_element_id from arcs union select to_element_id from arcs))
    select a.id, a.structure_id, a.structure_name,
      a.from_element_id, f.qname as from_element_qname, f.name as from_element_name, f.trait as from_element_trait,
      f.is_abstract as from_element_is_abstract,
      a.to_element_id, c.qname as to_element_qname, c.name as to_element_name, c.trait as to_element_trait,
      c.is_abstract as to_element_is_abstract, a.association_type, a.arcrole, a.order_value, a.weight
    from arcs a
    left join ends f on f.id = a.from_element_id
    left join ends c on c.id = a.to_element_id
    order by a.structure_name, f.qname nulls last, a.order_value, a.id limit ${page.limit} offset ${page.offset}`);
}

/** The total number of arcs over all pages of `listTaxonomyArcs`. */
export async function countTaxonomyArcs(tx: Transaction, filter: LibraryArcFilter): Promise<number> {
  const rows = await tx.query(sql<{ total: number }>`
    with ${arcsOf(tx, filter)} select count(*)::int as total from arcs`);
  return rows[0]?.total ?? 0;
}

/** The arcs of an element in mappings and bridges, each once; an arc to itself counts as outgoing. */
async function listPeerArcs(tx: Transaction, elementId: string): Promise<readonly PeerArcRow[]> {
  return tx.query(sql<PeerArcRow>`select a.id,
      case when a.from_element_id = ${elementId} then 'outgoing' else 'incoming' end as direction,
      case when a.from_element_id = ${elementId} then a.to_element_id else a.from_element_id end as peer_id,
      a.association_type, a.arcrole, t.id as taxonomy_id, t.standard as taxonomy_standard, t.name as taxonomy_name,
      s.id as structure_id, s.name as structure_name
    from taxonomy_association a
    join taxonomy_structure s on s.graph_id = a.graph_id and s.id = a.structure_id
    join taxonomy_taxonomy t on t.graph_id = s.graph_id and t.id = s.taxonomy_id
    where ${visibleInUse(tx, 'a')} and t.taxonomy_type = 'mapping' and s.is_active
      and (a.from_element_id = ${elementId} or a.to_element_id = ${elementId})
    order by a.id limit ${maxArcsPerElement}`);
}

/** The ids of the elements that equivalence arcs connect to an element, in either direction. */
async function listEquivalentIds(tx: Transaction, elementId: string): Promise<readonly string[]> {
  const rows = await tx.query(sql<Pick<TaxonomyElement, 'id'>>`select distinct
      case when a.from_element_id = ${elementId} then a.to_element_id else a.from_element_id end as id
    from taxonomy_association a
    where ${visibleInUse(tx, 'a')} and a.association_type = 'equivalence' and a.from_element_id <> a.to_element_id
      and (a.from_element_id = ${elementId} or a.to_element_id = ${elementId}) limit ${maxArcsPerElement}`);
  return rows.map(({ id }) => id);
}

/** The presentation arcs from these elements to their children, optionally in one structure. */
export async function listTreeArcs(
  tx: Transaction,
  parentIds: readonly string[],
  structureId: string | undefined,
): Promise<readonly LibraryTreeArc[]> {
  const inStructure = structureId === undefined ? sql`` : sql`and a.structure_id = ${structureId}`;
  return tx.query(sql<LibraryTreeArc>`select a.from_element_id as parent_id, a.to_element_id as child_id,
      min(a.order_value) as order_value
    from taxonomy_association a
    join taxonomy_structure s on s.graph_id = a.graph_id and s.id = a.structure_id
    where ${visibleInUse(tx, 'a')} and a.association_type = 'presentation' and s.is_active
      and a.from_element_id = any(${parentIds}::text[]) ${inStructure}
    group by a.from_element_id, a.to_element_id
    order by a.from_element_id, order_value, a.to_element_id limit ${maxTreeArcsPerLevel}`);
}

/** The active structures that the graph sees, by name; hidden packages only when their taxonomy is requested. */
async function listShownStructures(
  tx: Transaction,
  filter: LibraryStructureFilter,
): Promise<readonly ShownStructure[]> {
  const conditions = [visible(tx, 's'), sql`s.is_active`];
  if (filter.taxonomyId !== undefined) conditions.push(sql`s.taxonomy_id = ${filter.taxonomyId}`);
  if (filter.blockType !== undefined) conditions.push(sql`s.block_type = ${filter.blockType}`);
  if (filter.hiddenTaxonomyIds.length > 0) {
    conditions.push(sql`s.taxonomy_id <> all(${filter.hiddenTaxonomyIds}::text[])`);
  }
  return tx.query(sql<ShownStructure>`select ${shownStructureColumns}
    from taxonomy_structure s where ${sql.join(conditions, sql` and `)} order by s.name, s.id limit ${maxStructures}`);
}

/** One structure of the graph or of the library. */
async function findShownStructure(tx: Transaction, id: string): Promise<ShownStructure | undefined> {
  const rows = await tx.query(sql<ShownStructure>`select ${shownStructureColumns}
    from taxonomy_structure s where ${visible(tx, 's')} and s.id = ${id} order by ${ownFirst(tx, 's')} limit 1`);
  return rows[0];
}

/** The arcs of a taxonomy's active structures, with the name of each structure, as a common table expression. */
function arcsOf(tx: Transaction, filter: LibraryArcFilter): RawBuilder<unknown> {
  const conditions = [visibleInUse(tx, 'a')];
  if (filter.associationType !== undefined) conditions.push(sql`a.association_type = ${filter.associationType}`);
  const inStructure = filter.structureId === undefined ? sql`` : sql`and s.id = ${filter.structureId}`;
  return sql`structures as materialized (
      select s.graph_id, s.id, s.name from taxonomy_structure s
      where ${visible(tx, 's')} and s.taxonomy_id = ${filter.taxonomyId} and s.is_active ${inStructure}),
    arcs as materialized (
      select a.*, s.name as structure_name from structures s
      join taxonomy_association a on a.graph_id = s.graph_id and a.structure_id = s.id
      where ${sql.join(conditions, sql` and `)})`;
}

function ownFirst(tx: Transaction, alias: string): RawBuilder<unknown> {
  return sql`(${sql.ref(`${alias}.graph_id`)} = ${tx.graphId}) desc`;
}

/** The rows as stored, each read with one statement. */
export const storedLibraryReads: LibraryReads = {
  element: findShownElement,
  elements: findShownElements,
  list: listShownElements,
  ownLike: listOwnElementsLike,
  taxonomy: findShownTaxonomy,
  elementCount: countElementsOf,
  taxonomyArcs: listTaxonomyArcs,
  taxonomyArcCount: countTaxonomyArcs,
  peerArcs: listPeerArcs,
  equivalentIds: listEquivalentIds,
  treeArcs: listTreeArcs,
  structures: listShownStructures,
  structure: findShownStructure,
};
