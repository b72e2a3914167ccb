import { columnsOf, type RowOf, type Transaction } from '@pacioli/core';
import { type RawBuilder, sql } from 'kysely';
import type { ExtensionConcept } from '../checks/index.ts';
import { gaapPrefix, gaapTaxonomyId } from '../library/index.ts';
import type { TaxonomyElement } from '../rows.gen.ts';

const maxConcepts = 5_000;

const conceptColumns = columnsOf<TaxonomyElement>('e')(
  'id',
  'qname',
  'name',
  'trait',
  'liquidity',
  'activity_type',
  'balance_type',
  'period_type',
  'is_abstract',
  'is_monetary',
  'taxonomy_id',
);

type ConceptRow = RowOf<typeof conceptColumns> & {
  readonly qname: NonNullable<TaxonomyElement['qname']>;
  readonly taxonomy_id: NonNullable<TaxonomyElement['taxonomy_id']>;
};

/** The active concepts of the graph's extensions of US GAAP with these qnames, by qname (taxonomy 4.2, check 9). */
export async function findExtensionConcepts(
  tx: Transaction,
  qnames: readonly string[],
): Promise<ReadonlyMap<string, ExtensionConcept>> {
  if (qnames.length === 0) return new Map();
  const rows = await readConcepts(tx, sql`e.qname = any(${qnames}::text[])`);
  return new Map(rows.map((row) => [row.qname, row]));
}

/** One active concept of the graph's extensions by id. */
export async function findExtensionConcept(tx: Transaction, id: string): Promise<ExtensionConcept | undefined> {
  return (await readConcepts(tx, sql`e.id = ${id}`))[0];
}

/** All active concepts of the graph's extensions by qname, at most 5,000 (taxonomy M-12). */
export async function listExtensionConcepts(tx: Transaction): Promise<readonly ExtensionConcept[]> {
  return readConcepts(tx, sql`true`);
}

/**
 * The totals of the calculation arcs of the graph's extensions: the qname of an item to the qnames of its totals
 * (taxonomy M-17).
 */
export async function listExtensionTotals(tx: Transaction): Promise<ReadonlyMap<string, readonly string[]>> {
  const graphId = tx.graphId;
  const rows = await tx.query(sql<{
    readonly item: NonNullable<TaxonomyElement['qname']>;
    readonly totals: readonly string[];
  }>`
    select c.qname as item, array_agg(distinct f.qname) as totals
    from taxonomy_taxonomy t
    join taxonomy_structure s on s.graph_id = t.graph_id and s.taxonomy_id = t.id and s.is_active
    join taxonomy_association a on a.graph_id = s.graph_id and a.structure_id = s.id
      and a.association_type = 'calculation'
    join taxonomy_element f on f.graph_id in (${graphId}, 'library') and f.id = a.from_element_id and f.qname is not null
    join taxonomy_element c on c.graph_id in (${graphId}, 'library') and c.id = a.to_element_id and c.qname is not null
    where t.graph_id = ${graphId} and t.taxonomy_type = 'reporting_extension' and t.is_active
    group by c.qname limit ${maxConcepts}`);
  return new Map(rows.map(({ item, totals }) => [item, totals]));
}

/** Concepts that came with reports of other graphs are none of the graph's own (investor H-17). */
async function readConcepts(tx: Transaction, condition: RawBuilder<unknown>): Promise<readonly ExtensionConcept[]> {
  const rows = await tx.query(sql<ConceptRow>`select ${conceptColumns}
    from taxonomy_element e
    join taxonomy_taxonomy t on t.graph_id = e.graph_id and t.id = e.taxonomy_id and t.is_active
      and t.taxonomy_type = 'reporting_extension' and t.parent_taxonomy_id = ${gaapTaxonomyId}
    where e.graph_id = ${tx.graphId} and e.is_active and e.source <> 'linked' and e.qname is not null and ${condition}
    order by e.qname limit ${maxConcepts}`);
  return rows.map((row) => ({
    id: row.id,
    qname: row.qname,
    name: row.name,
    trait: row.trait,
    liquidity: row.liquidity,
    activityType: row.activity_type,
    balanceType: row.balance_type,
    periodType: row.period_type,
    isAbstract: row.is_abstract,
    isMonetary: row.is_monetary,
    taxonomyId: row.taxonomy_id,
    source: gaapPrefix, // An extension counts as part of the framework that it extends.
  }));
}
