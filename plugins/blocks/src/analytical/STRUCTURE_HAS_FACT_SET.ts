import { defineRelationship, sql } from '@pacioli/core';
import { projectedStructureIds, Structure } from '@pacioli/taxonomy';
import { rowsPerBatch } from '../projection/index.ts';
import type { BlocksFactSet } from '../rows.gen.ts';
import { FactSet } from './FactSet.ts';

/** Sets of a structure that is not in the graph, such as a retired one, have no structure there. */
export const STRUCTURE_HAS_FACT_SET = defineRelationship('STRUCTURE_HAS_FACT_SET', Structure, FactSet, {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: NonNullable<BlocksFactSet['structure_id']>; readonly to: BlocksFactSet['id'] }>`
        SELECT s.structure_id AS "from", s.id AS "to" FROM blocks_fact_set s
        JOIN (${projectedStructureIds(tx)}) AS p ON p.id = s.structure_id
        WHERE s.graph_id = ${tx.graphId} ORDER BY s.id`,
      rowsPerBatch,
    ),
});
