import { defineRelationship, sql } from '@pacioli/core';
import { projectedArcs, rowsPerBatch } from '../projection/index.ts';
import type { TaxonomyAssociation } from '../rows.gen.ts';
import { Association } from './Association.ts';
import { Structure } from './Structure.ts';

/** Arcs of a mapping have no structure in the graph (graphs SC-25, SC-26). */
export const STRUCTURE_HAS_ASSOCIATION = defineRelationship('STRUCTURE_HAS_ASSOCIATION', Structure, Association, {
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: TaxonomyAssociation['structure_id']; readonly to: TaxonomyAssociation['id'] }>`
        SELECT a.structure_id AS "from", a.id AS "to" FROM (${projectedArcs(tx)}) AS a
        WHERE a.structure_id IS NOT NULL ORDER BY a.id`,
      rowsPerBatch,
    ),
});
