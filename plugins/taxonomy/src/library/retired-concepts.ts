import { columnsOf, type RowOf, type Transaction } from '@pacioli/core';
import { sql } from 'kysely';
import type { TaxonomyAssociation, TaxonomyElement } from '../rows.gen.ts';
import { libraryGraphId } from '../vocabulary/index.ts';
import type { LibraryRows, RetiredConceptRow } from './library.ts';
import { carriedRetirements } from './retirement.ts';

/** The columns of a stored concept that are compared with its replacement. */
export const replaceableColumns = columnsOf<TaxonomyElement>()({
  id: 'id',
  trait: 'trait',
  liquidity: 'liquidity',
  balanceType: 'balance_type',
  periodType: 'period_type',
  itemType: 'item_type',
  isAbstract: 'is_abstract',
  isMonetary: 'is_monetary',
});

/** The retirements of a release that may move mappings, including those already marked by an interrupted start. */
export async function findCarriedRetirements(
  tx: Transaction,
  next: LibraryRows,
): Promise<ReadonlyMap<string, RetiredConceptRow>> {
  const ids = next.retired.map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const stored = await tx.query(sql<RowOf<typeof replaceableColumns>>`select ${replaceableColumns}
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
