import { defineRelationship, sql } from '@pacioli/core';
import { Element } from '@pacioli/taxonomy';
import { rowsPerBatch } from '../projection/index.ts';
import type { BlocksFact } from '../rows.gen.ts';
import { Fact } from './Fact.ts';

export const FACT_HAS_ELEMENT = defineRelationship('FACT_HAS_ELEMENT', Fact, Element, {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: BlocksFact['id']; readonly to: BlocksFact['element_id'] }>`
        SELECT f.id AS "from", f.element_id AS "to" FROM blocks_fact f WHERE f.graph_id = ${tx.graphId} ORDER BY f.id`,
      rowsPerBatch,
    ),
});
