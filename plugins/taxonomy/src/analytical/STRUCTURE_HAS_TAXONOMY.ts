import { defineRelationship, sql } from '@pacioli/core';
import { projectedStructureIds, projectedTaxonomyIds, rowsPerBatch } from '../projection/index.ts';
import type { TaxonomyStructure } from '../rows.gen.ts';
import { Structure } from './Structure.ts';
import { Taxonomy } from './Taxonomy.ts';

/** The synthetic structure of the accounts belongs to every chart of the graph (graphs SC-25). */
export const STRUCTURE_HAS_TAXONOMY = defineRelationship('STRUCTURE_HAS_TAXONOMY', Structure, Taxonomy, {
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: TaxonomyStructure['id']; readonly to: TaxonomyStructure['taxonomy_id'] }>`
        SELECT s.id AS "from", s.taxonomy_id AS "to" FROM (${projectedStructureIds(tx)}) AS s
        WHERE s.taxonomy_id IN (${projectedTaxonomyIds(tx)})
        UNION ALL
        SELECT ${`${tx.graphId}_coa`}, t.id FROM taxonomy_taxonomy t
        WHERE t.graph_id = ${tx.graphId} AND t.taxonomy_type = 'chart_of_accounts'
        ORDER BY "from", "to"`,
      rowsPerBatch,
    ),
});
