import { defineRelationship, sql } from '@pacioli/core';
import { rowsPerBatch } from '../projection/index.ts';
import type { BlocksFact } from '../rows.gen.ts';
import { Fact } from './Fact.ts';
import { FactSet } from './FactSet.ts';

export const FACT_SET_CONTAINS_FACT = defineRelationship('FACT_SET_CONTAINS_FACT', FactSet, Fact, {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: BlocksFact['fact_set_id']; readonly to: BlocksFact['id'] }>`
        SELECT f.fact_set_id AS "from", f.id AS "to" FROM blocks_fact f WHERE f.graph_id = ${tx.graphId} ORDER BY f.id`,
      rowsPerBatch,
    ),
});
