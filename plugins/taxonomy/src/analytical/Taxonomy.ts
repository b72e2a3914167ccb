import { defineNode, sql } from '@pacioli/core';
import { projectedTaxonomyIds, rowsPerBatch } from '../projection/index.ts';
import type { TaxonomyTaxonomy } from '../rows.gen.ts';

/** The taxonomies of the graph and of the library (graphs 6.1). */
export const Taxonomy = defineNode('Taxonomy', {
  summary: 'A named set of elements and structures: a chart of accounts, a reporting standard, a mapping, schedules.',
  properties: {
    uri: 'STRING',
    name: 'STRING',
    version: 'STRING',
    namespace: 'STRING',
    description: 'STRING',
    taxonomy_type: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<TaxonomyRow>`
        SELECT t.id AS identifier, t.namespace_uri AS uri, t.name, t.version, t.namespace_uri AS namespace, t.description,
          CASE WHEN t.taxonomy_type IN ('chart_of_accounts', 'mapping', 'schedule') THEN t.taxonomy_type
            ELSE 'reporting' END AS taxonomy_type
        FROM taxonomy_taxonomy t WHERE t.id IN (${projectedTaxonomyIds(tx)}) ORDER BY t.id`,
      rowsPerBatch,
    ),
});

type TaxonomyRow = Pick<TaxonomyTaxonomy, 'name' | 'version' | 'description' | 'taxonomy_type'> & {
  readonly identifier: TaxonomyTaxonomy['id'];
  readonly uri: TaxonomyTaxonomy['namespace_uri'];
  readonly namespace: TaxonomyTaxonomy['namespace_uri'];
};
