import { defineRelationship, sql } from '@pacioli/core';
import { Entity } from '@pacioli/ledger';
import type { ReportingReport } from '../rows.gen.ts';
import { Report } from './Report.ts';

const rowsPerBatch = 5_000;

/** The company that a report is about (graphs 6.3). */
export const ENTITY_HAS_REPORT = defineRelationship('ENTITY_HAS_REPORT', Entity, Report, {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  rows: ({ tx }) =>
    tx.stream(
      sql<{ readonly from: ReportingReport['entity_id']; readonly to: ReportingReport['id'] }>`
        SELECT r.entity_id AS "from", r.id AS "to" FROM reporting_report r
        WHERE r.graph_id = ${tx.graphId} AND r.generation_status = 'published' ORDER BY r.id`,
      rowsPerBatch,
    ),
});
