import { columnsOf, type RowOf, sql, type Transaction } from '@pacioli/core';
import type { FactMember } from '../models/facts.ts';
import type { BlocksDimension, BlocksFactDimension } from '../rows.gen.ts';
import { refuseTooMany } from './facts.ts';

const maxMembersRead = 50_000;

const linkColumns = columnsOf<BlocksFactDimension>('l')({ factId: 'fact_id' });
const dimensionColumns = columnsOf<BlocksDimension>('d')({
  dimensionType: 'dimension_type',
  axisElementId: 'axis_element_id',
  value: 'value',
  displayName: 'display_name',
});

/** The axis members of the facts of sets, by fact, axis and value; one statement. */
export async function readMembers(
  tx: Transaction,
  factSetIds: readonly string[],
): Promise<readonly (FactMember & { readonly factId: string })[]> {
  const rows = await tx.query(sql<RowOf<typeof linkColumns> & RowOf<typeof dimensionColumns>>`
    select ${linkColumns}, ${dimensionColumns} from blocks_fact f
    join blocks_fact_dimension l on l.graph_id = f.graph_id and l.fact_id = f.id
    join blocks_dimension d on d.graph_id = l.graph_id and d.id = l.dimension_id
    where f.graph_id = ${tx.graphId} and f.fact_set_id = any(${[...factSetIds]}::text[])
    order by l.fact_id, d.axis_element_id, d.value limit ${maxMembersRead + 1}`);
  refuseTooMany(rows.length, { maxRows: maxMembersRead, remedy: 'Read fewer sets.' });
  return rows;
}
