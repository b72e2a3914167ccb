import { defineNode, sql } from '@pacioli/core';
import { rowsPerBatch } from '../projection/index.ts';
import type { BlocksFactSet } from '../rows.gen.ts';

/** The sets that facts belong to (graphs SC-29). */
export const FactSet = defineNode('FactSet', {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  summary: 'The facts of one structure and period; `provenance` is JSON.',
  properties: { factset_type: 'STRING', provenance: 'STRING' },
  rows: ({ tx }) =>
    tx.stream(
      sql<
        Pick<BlocksFactSet, 'factset_type'> & {
          readonly identifier: BlocksFactSet['id'];
          readonly provenance: string | null;
        }
      >`
        SELECT s.id AS identifier, s.factset_type, s.provenance::text AS provenance
        FROM blocks_fact_set s WHERE s.graph_id = ${tx.graphId} ORDER BY s.id`,
      rowsPerBatch,
    ),
});
