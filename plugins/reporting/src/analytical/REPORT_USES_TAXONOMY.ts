import { defineRelationship, sql } from '@pacioli/core';
import { projectedTaxonomyIds, Taxonomy } from '@pacioli/taxonomy';
import type { ReportingReport } from '../rows.gen.ts';
import { Report } from './Report.ts';

const rowsPerBatch = 5_000;

/** The standard whose concepts a report uses (graphs 6.3). */
export const REPORT_USES_TAXONOMY = defineRelationship('REPORT_USES_TAXONOMY', Report, Taxonomy, {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: ReportingReport['id']; readonly to: ReportingReport['taxonomy_id'] }>`
        SELECT r.id AS "from", r.taxonomy_id AS "to" FROM reporting_report r
        JOIN (${projectedTaxonomyIds(tx)}) AS t ON t.id = r.taxonomy_id
        WHERE r.graph_id = ${tx.graphId} AND r.generation_status = 'published' ORDER BY r.id`,
      rowsPerBatch,
    ),
});
