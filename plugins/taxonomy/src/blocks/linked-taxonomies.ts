import { columnsOf, type RowOf, type Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { TaxonomyElement, TaxonomyTaxonomy } from '../rows.gen.ts';
import { libraryGraphId } from '../vocabulary/index.ts';

const taxonomyColumns = columnsOf<TaxonomyTaxonomy>('t')(
  'id',
  'name',
  'description',
  'standard',
  'version',
  'namespace_uri',
  'parent_taxonomy_id',
);

const elementColumns = columnsOf<TaxonomyElement>('e')(
  'id',
  'taxonomy_id',
  'qname',
  'name',
  'description',
  'trait',
  'liquidity',
  'activity_type',
  'sub_classification',
  'balance_type',
  'period_type',
  'element_type',
  'item_type',
  'is_abstract',
  'is_monetary',
  'is_active',
  'parent_id',
  'depth',
);

/** Reporting extensions of a graph with all of their concepts, without structures, rules and codes. */
export interface SharedTaxonomies {
  readonly taxonomies: readonly RowOf<typeof taxonomyColumns>[];
  readonly elements: readonly RowOf<typeof elementColumns>[];
}

/** The source graph of linked taxonomies, and the author and time of their link. */
export interface TaxonomyLink {
  readonly sourceGraphId: string;
  readonly userId: string;
  readonly now: Date;
}

/** Taxonomies that cross from one graph to another with a shared report (investor H-17 to H-19). */
export interface LinkedTaxonomies {
  /**
   * The graph's own reporting extensions that have one of the ids or contain one of the elements, each whole, with at
   * most `maxElements` + 1 concepts.
   */
  read(
    tx: Transaction,
    wanted: {
      readonly taxonomyIds: readonly string[];
      readonly elementIds: readonly string[];
      readonly maxElements: number;
    },
  ): Promise<SharedTaxonomies>;
  /**
   * Writes the taxonomies and concepts that the graph lacks, under their own ids, locked and with the source `linked`.
   * Returns the ids of the concepts that it still lacks, because their name is taken here or in the library.
   */
  link(tx: Transaction, shared: SharedTaxonomies, link: TaxonomyLink): Promise<readonly string[]>;
}

async function readShared(
  tx: Transaction,
  { taxonomyIds, elementIds, maxElements }: Parameters<LinkedTaxonomies['read']>[1],
): Promise<SharedTaxonomies> {
  const taxonomies = await tx.query(sql<RowOf<typeof taxonomyColumns>>`select ${taxonomyColumns}
    from taxonomy_taxonomy t where t.graph_id = ${tx.graphId} and t.taxonomy_type = 'reporting_extension' and t.is_active
      and (t.id = any(${[...taxonomyIds]}::text[]) or t.id in (select e.taxonomy_id from taxonomy_element e
        where e.graph_id = t.graph_id and e.id = any(${[...elementIds]}::text[])))
    order by t.id`);
  const elements = await tx.query(sql<RowOf<typeof elementColumns>>`select ${elementColumns}
    from taxonomy_element e where e.graph_id = ${tx.graphId} and e.taxonomy_id = any(${taxonomies.map(({ id }) => id)}::text[])
    order by e.id limit ${maxElements + 1}`);
  return { taxonomies, elements };
}

async function writeLinked(
  tx: Transaction,
  { taxonomies, elements }: SharedTaxonomies,
  link: TaxonomyLink,
): Promise<readonly string[]> {
  if (taxonomies.length === 0) return [];
  const graphId = tx.graphId;
  const metadata = sql`jsonb_build_object('source_graph_id', ${link.sourceGraphId}::text)`;
  // Parents are wired afterwards, because a row may come before its parent, and a parent may be unknown here (investor H-18).
  await tx.query(sql`
    insert into taxonomy_taxonomy (graph_id, id, name, description, taxonomy_type, standard, version, namespace_uri,
      is_locked, metadata, created_by, created_at, updated_at)
    select ${graphId}, r.id, r.name, r.description, 'reporting_extension', r.standard, r.version, r.namespace_uri, true,
      ${metadata}, ${link.userId}, ${link.now}, ${link.now}
    from jsonb_to_recordset(${JSON.stringify(taxonomies)}::text::jsonb) as r(id text, name text, description text,
      standard text, version text, namespace_uri text)
    on conflict do nothing`);
  await tx.query(sql`
    update taxonomy_taxonomy t set parent_taxonomy_id = r.parent_taxonomy_id
    from jsonb_to_recordset(${JSON.stringify(taxonomies)}::text::jsonb) as r(id text, parent_taxonomy_id text)
    where t.graph_id = ${graphId} and t.id = r.id and t.metadata ->> 'source_graph_id' = ${link.sourceGraphId}
      and t.parent_taxonomy_id is null and exists (select from taxonomy_taxonomy p
        where p.graph_id in (${graphId}, ${libraryGraphId}) and p.id = r.parent_taxonomy_id)`);
  for (let at = 0; at < elements.length; at += maxRowsPerStatement) {
    await insertElements(tx, elements.slice(at, at + maxRowsPerStatement), link);
  }
  for (let at = 0; at < elements.length; at += maxRowsPerStatement) {
    await wireParents(tx, elements.slice(at, at + maxRowsPerStatement), link);
  }
  return missingIds(tx, elements);
}

const maxRowsPerStatement = 2_000;

type Elements = SharedTaxonomies['elements'];

/** Inserts concepts except those whose name or id is taken in this graph or in the library (investor H-19). */
async function insertElements(tx: Transaction, elements: Elements, link: TaxonomyLink): Promise<void> {
  await tx.query(sql`
    insert into taxonomy_element (graph_id, id, taxonomy_id, qname, name, description, trait, liquidity, activity_type,
      sub_classification, balance_type, period_type, element_type, item_type, is_abstract, is_monetary, is_active, depth,
      source, metadata, created_by, created_at, updated_at)
    select ${tx.graphId}, r.*, 'linked', jsonb_build_object('source_graph_id', ${link.sourceGraphId}::text), ${link.userId},
      ${link.now}, ${link.now}
    from jsonb_to_recordset(${JSON.stringify(elements)}::text::jsonb) as r(id text, taxonomy_id text, qname text, name text,
      description text, trait text, liquidity text, activity_type text, sub_classification text, balance_type text,
      period_type text, element_type text, item_type text, is_abstract boolean, is_monetary boolean, is_active boolean,
      depth integer)
    where not exists (select from taxonomy_element l
        where l.graph_id = ${libraryGraphId} and (l.qname = r.qname or l.id = r.id))
      and exists (select from taxonomy_taxonomy t where t.graph_id = ${tx.graphId} and t.id = r.taxonomy_id
        and t.metadata ->> 'source_graph_id' = ${link.sourceGraphId})
    order by r.id on conflict do nothing`);
}

async function wireParents(tx: Transaction, elements: Elements, link: TaxonomyLink): Promise<void> {
  const children = elements.filter(({ parent_id }) => parent_id !== null);
  if (children.length === 0) return;
  const rows = children.map(({ id, parent_id }) => ({ id, parent_id }));
  await tx.query(sql`
    update taxonomy_element e set parent_id = r.parent_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r(id text, parent_id text)
    where e.graph_id = ${tx.graphId} and e.id = r.id and e.source = 'linked' and e.parent_id is null
      and e.metadata ->> 'source_graph_id' = ${link.sourceGraphId} and exists (select from taxonomy_element p
        where p.graph_id in (${tx.graphId}, ${libraryGraphId}) and p.id = r.parent_id)`);
}

async function missingIds(tx: Transaction, elements: Elements): Promise<readonly string[]> {
  const known = await readOwnIds(
    tx,
    elements.map(({ id }) => id),
  );
  return elements.flatMap(({ id }) => (known.has(id) ? [] : [id]));
}

async function readOwnIds(tx: Transaction, elementIds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await tx.query(sql<Pick<TaxonomyElement, 'id'>>`select id from taxonomy_element
    where graph_id = ${tx.graphId} and id = any(${[...elementIds]}::text[])`);
  return new Set(found.map(({ id }) => id));
}

/** The taxonomies as stored. */
export const storedLinkedTaxonomies: LinkedTaxonomies = { read: readShared, link: writeLinked };
