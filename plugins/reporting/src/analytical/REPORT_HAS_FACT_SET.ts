import { FactSet, setsOfReports } from '@pacioli/blocks';
import { defineRelationship, sql } from '@pacioli/core';
import type { ReportingReport } from '../rows.gen.ts';
import { Report } from './Report.ts';

const rowsPerBatch = 5_000;

/** One set for each statement structure of a report (graphs 6.3). */
export const REPORT_HAS_FACT_SET = defineRelationship('REPORT_HAS_FACT_SET', Report, FactSet, {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: ReportingReport['id']; readonly to: string }>`
        SELECT r.id AS "from", s.fact_set_id AS "to" FROM reporting_report r
        JOIN (${setsOfReports(tx)}) AS s ON s.report_id = r.id
        WHERE r.graph_id = ${tx.graphId} AND r.generation_status = 'published' ORDER BY r.id, s.fact_set_id`,
      rowsPerBatch,
    ),
});
