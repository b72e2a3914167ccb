import { sql, type Transaction } from '@pacioli/core';
import type { FactMember, StoredFact } from '../models/facts.ts';
import { type FactRow, factColumns, factOf } from './facts.ts';

const factsPerBatch = 2_000;

/** The facts of the sets in batches of 2,000, by set and id, each with its members; memory holds one batch. */
export async function* readFactBatches(
  tx: Transaction,
  factSetIds: readonly string[],
): AsyncGenerator<readonly (StoredFact & { readonly members: readonly FactMember[] })[]> {
  const statement = sql<FactRow & { readonly members: readonly FactMember[] }>`
    select ${factColumns}, coalesce((
      select jsonb_agg(jsonb_build_object('dimensionType', d.dimension_type, 'axisElementId', d.axis_element_id,
        'value', d.value, 'displayName', d.display_name) order by d.axis_element_id, d.value)
      from blocks_fact_dimension l join blocks_dimension d on d.graph_id = l.graph_id and d.id = l.dimension_id
      where l.graph_id = f.graph_id and l.fact_id = f.id), '[]') as members
    from blocks_fact f where f.graph_id = ${tx.graphId} and f.fact_set_id = any(${[...factSetIds]}::text[])
    order by f.fact_set_id, f.id`;
  for await (const rows of tx.stream(statement, factsPerBatch)) {
    yield rows.map((row) => ({ ...factOf(row), members: row.members }));
  }
}
