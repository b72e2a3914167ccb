import { defineRelationship, sql } from '@pacioli/core';
import { rowsPerBatch } from '../projection/index.ts';
import type { BlocksFactDimension } from '../rows.gen.ts';
import { Dimension } from './Dimension.ts';
import { Fact } from './Fact.ts';

/** A fact without dimensions is a consolidated total (graphs 6.3). */
export const FACT_HAS_DIMENSION = defineRelationship('FACT_HAS_DIMENSION', Fact, Dimension, {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: BlocksFactDimension['fact_id']; readonly to: BlocksFactDimension['dimension_id'] }>`
        SELECT l.fact_id AS "from", l.dimension_id AS "to" FROM blocks_fact_dimension l
        WHERE l.graph_id = ${tx.graphId} ORDER BY l.fact_id, l.dimension_id`,
      rowsPerBatch,
    ),
});
