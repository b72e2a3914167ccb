import type { Transaction } from '@pacioli/core';
import { type RawBuilder, sql } from 'kysely';
import { chartSources, libraryGraphId, visible, visibleInUse } from '../vocabulary/index.ts';

/** The rows of taxonomies in the analytical graph, as subqueries that nodes and relationships share. */

export const rowsPerBatch = 5_000;

/**
 * Selects the column `id` of the taxonomies in the analytical graph: those of the graph and of the library. Other
 * plugins join their relationships with it, so that none of them dangles.
 */
export function projectedTaxonomyIds(tx: Transaction): RawBuilder<unknown> {
  return sql`select t.id from taxonomy_taxonomy t where ${visible(tx, 't')}`;
}

/**
 * Selects the columns `id` and `taxonomy_id` of the stored structures in the analytical graph: the active ones, except
 * charts of accounts and mappings (graphs SC-25). Other plugins join their relationships with it.
 */
export function projectedStructureIds(tx: Transaction): RawBuilder<unknown> {
  return sql`select s.id, s.taxonomy_id from taxonomy_structure s
    where ${visible(tx, 's')} and s.is_active and s.block_type not in ('chart_of_accounts', 'coa_mapping')`;
}

/**
 * Selects the associations in the analytical graph (graphs SC-26): stored ones of the types presentation, calculation
 * and mapping, and one for each account with a parent, in the synthetic structure of the chart. The structure is null
 * for those whose structure is not projected, such as mappings.
 */
export function projectedArcs(tx: Transaction): RawBuilder<unknown> {
  return sql`
    select a.id, p.id as structure_id, a.from_element_id, a.to_element_id, a.association_type, a.order_value, a.weight,
      case a.association_type when 'presentation' then coalesce(a.arcrole, 'parent-child') else a.arcrole end as arcrole,
      a.metadata ->> 'preferred_label' as preferred_label
    from taxonomy_association a
    join taxonomy_structure s on s.graph_id = a.graph_id and s.id = a.structure_id and s.is_active
    left join (${projectedStructureIds(tx)}) as p on p.id = s.id
    where ${visibleInUse(tx, 'a')} and a.association_type in ('presentation', 'calculation', 'mapping')
    union all
    select e.id || '_assoc', ${`${tx.graphId}_coa`}, e.parent_id, e.id, 'presentation',
      (row_number() over (partition by e.parent_id order by e.code_order nulls last, e.name, e.id))::float8, null::float8,
      'parent-child', null::text
    from taxonomy_element e
    join taxonomy_element p on p.graph_id = e.graph_id and p.id = e.parent_id
    left join taxonomy_taxonomy t on t.graph_id = e.graph_id and t.id = e.taxonomy_id
    where e.graph_id = ${tx.graphId} and e.source in (${sql.join([...chartSources])})
      and (e.taxonomy_id is null or t.taxonomy_type = 'chart_of_accounts')`;
}

/**
 * Selects the columns `element_id`, `trait_id`, `category` and `type` of the traits of elements, of the three
 * categories that are stored (taxonomy T-9, T-11).
 */
export function elementTraits(tx: Transaction): RawBuilder<unknown> {
  return sql`
    select e.id as element_id, t.category || ':' || t.type as trait_id, t.category, t.type
    from taxonomy_element e
    cross join lateral (values ('elementsOfFinancialStatements', e.trait), ('liquidity', e.liquidity),
      ('activityType', e.activity_type)) as t(category, type)
    where ${visible(tx, 'e')} and t.type is not null`;
}

/**
 * Selects the columns `element_id` and `concept` of shipped elements: the fundamental concept that is equivalent to
 * them. Of several, such as equity and equity attributable to the parent, the one with the fewest equivalents.
 */
export function canonicalConcepts(): RawBuilder<unknown> {
  return sql`
    select distinct on (a.to_element_id) a.to_element_id as element_id, split_part(f.qname, ':', 2) as concept
    from taxonomy_association a
    join taxonomy_element f on f.graph_id = a.graph_id and f.id = a.from_element_id
    where a.graph_id = ${libraryGraphId} and f.source = 'fac' and a.association_type = 'equivalence'
      and not a.is_deprecated
    order by a.to_element_id, count(*) over (partition by a.from_element_id), f.qname`;
}
