import type { Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { TaxonomyAssociation, TaxonomyElement } from '../rows.gen.ts';
import { libraryGraphId } from '../vocabulary/index.ts';
import type { LibraryRows, RetiredConceptRow } from './library.ts';
import { carriedRetirements } from './retirement.ts';

/** A stored concept, as the comparison with its replacement reads it. */
export type ReplaceableRow = Pick<TaxonomyElement, 'id' | 'trait' | 'liquidity'> & {
  readonly balanceType: TaxonomyElement['balance_type'];
  readonly periodType: TaxonomyElement['period_type'];
  readonly itemType: TaxonomyElement['item_type'];
  readonly isAbstract: TaxonomyElement['is_abstract'];
  readonly isMonetary: TaxonomyElement['is_monetary'];
};

/** The retirements of a release that may move mappings, including those already marked by an interrupted start. */
export async function findCarriedRetirements(
  tx: Transaction,
  next: LibraryRows,
): Promise<ReadonlyMap<string, RetiredConceptRow>> {
  const ids = next.retired.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const stored = await tx.query(sql<ReplaceableRow>`select id, trait, liquidity, balance_type as "balanceType",
      period_type as "periodType", item_type as "itemType", is_abstract as "isAbstract", is_monetary as "isMonetary"
    from taxonomy_element where graph_id = ${libraryGraphId} and id = any(${ids}::text[])`);
  return carriedRetirements(stored, next);
}

/**
 * Moves the mappings of all graphs from retired concepts to their replacements, and returns the changed graphs
 * (taxonomy LB-5). Runs in the kernel scope; running it twice changes nothing.
 */
export async function moveRetiredMappings(
  tx: Transaction,
  carried: ReadonlyMap<string, RetiredConceptRow>,
  now: Date,
): Promise<readonly string[]> {
  if (carried.size === 0) return [];
  const rows = [...carried.values()].map(({ id, replacedById }) => ({ id, replaced_by: replacedById }));
  const moved = await tx.query(sql<Pick<TaxonomyAssociation, 'graph_id'>>`
    with moved as (
      update taxonomy_association a set to_element_id = r.replaced_by, updated_at = ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id text, replaced_by text)
      where a.association_type = 'mapping' and a.to_element_id = r.id returning a.graph_id)
    select distinct graph_id from moved order by graph_id`);
  return moved.map(({ graph_id }) => graph_id);
}
