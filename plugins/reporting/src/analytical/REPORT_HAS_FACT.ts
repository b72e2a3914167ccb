import { Fact, factsOfReports } from '@pacioli/blocks';
import { defineRelationship, sql } from '@pacioli/core';
import type { ReportingReport } from '../rows.gen.ts';
import { Report } from './Report.ts';

const rowsPerBatch = 5_000;

/** The facts of all statements of a report (graphs 6.3). */
export const REPORT_HAS_FACT = defineRelationship('REPORT_HAS_FACT', Report, Fact, {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: ReportingReport['id']; readonly to: string }>`
        SELECT r.id AS "from", f.fact_id AS "to" FROM reporting_report r
        JOIN (${factsOfReports(tx)}) AS f ON f.report_id = r.id
        WHERE r.graph_id = ${tx.graphId} AND r.generation_status = 'published' ORDER BY r.id, f.fact_id`,
      rowsPerBatch,
    ),
});
