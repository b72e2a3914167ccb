import { defineRelationship, sql } from '@pacioli/core';
import { projectedTaxonomyIds, rowsPerBatch } from '../projection/index.ts';
import type { TaxonomyTaxonomy } from '../rows.gen.ts';
import { Taxonomy } from './Taxonomy.ts';

/** An extension of the graph and the standard that it adds concepts to (graphs 6.2). */
export const TAXONOMY_EXTENDS_TAXONOMY = defineRelationship('TAXONOMY_EXTENDS_TAXONOMY', Taxonomy, Taxonomy, {
  properties: { extension_type: 'STRING', effective_date: 'STRING' },
  rows: ({ tx }) =>
    tx.stream(
      sql<ExtensionRow>`
        SELECT t.id AS "from", t.parent_taxonomy_id AS "to", 'entity_extension' AS extension_type,
          NULL::text AS effective_date
        FROM taxonomy_taxonomy t
        WHERE t.graph_id = ${tx.graphId} AND t.parent_taxonomy_id IN (${projectedTaxonomyIds(tx)}) ORDER BY t.id`,
      rowsPerBatch,
    ),
});

interface ExtensionRow {
  readonly from: TaxonomyTaxonomy['id'];
  readonly to: NonNullable<TaxonomyTaxonomy['parent_taxonomy_id']>;
  readonly extension_type: string;
  readonly effective_date: string | null;
}
