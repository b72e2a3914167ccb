import { defineNode, sql } from '@pacioli/core';
import { fiscalYearEndMonth } from '@pacioli/ledger';
import type { ReportingReport } from '../rows.gen.ts';

const rowsPerBatch = 5_000;

/**
 * The published reports (graphs SC-29). The fiscal year is named after the year in which it ends; a report over a year
 * has the period FY, one over a quarter Q1 to Q4, and one over a month none.
 */
export const Report = defineNode('Report', {
  extension: 'ledger',
  alternativeExtensions: ['investor'],
  summary: 'A report of a company; its facts are those of its fact sets.',
  properties: {
    uri: 'STRING',
    name: 'STRING',
    accession_number: 'STRING',
    form: 'STRING',
    filing_date: 'STRING',
    report_date: 'STRING',
    acceptance_date: 'STRING',
    is_inline_xbrl: 'BOOLEAN',
    xbrl_processor_version: 'STRING',
    processed: 'BOOLEAN',
    failed: 'BOOLEAN',
    updated_at: 'STRING',
    fiscal_year_focus: 'INT32',
    fiscal_period_focus: 'STRING',
    fiscal_year_end_month: 'INT32',
    filing_status: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<ReportRow>`
        SELECT r.id AS identifier, NULL::text AS uri, r.name, NULL::text AS accession_number, NULL::text AS form,
          to_char(r.last_generated AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS filing_date, r.period_end::text AS report_date,
          NULL::text AS acceptance_date, false AS is_inline_xbrl, NULL::text AS xbrl_processor_version, true AS processed,
          false AS failed, to_char(r.last_generated AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS updated_at,
          EXTRACT(YEAR FROM r.period_end)::int + CASE WHEN r.month > r.year_end_month THEN 1 ELSE 0 END AS fiscal_year_focus,
          CASE r.period_type WHEN 'annual' THEN 'FY'
            WHEN 'quarterly' THEN 'Q' || ((r.month - r.year_end_month + 11) % 12 / 3 + 1) END AS fiscal_period_focus,
          r.year_end_month AS fiscal_year_end_month, r.filing_status
        FROM (
          SELECT p.*, EXTRACT(MONTH FROM p.period_end)::int AS month, ${fiscalYearEndMonth(tx)} AS year_end_month
          FROM reporting_report p WHERE p.graph_id = ${tx.graphId} AND p.generation_status = 'published'
        ) AS r ORDER BY r.id`,
      rowsPerBatch,
    ),
});

type Text = string | null;
type ReportRow = Pick<ReportingReport, 'name' | 'filing_status'> & {
  readonly identifier: ReportingReport['id'];
  readonly uri: Text;
  readonly accession_number: Text;
  readonly form: Text;
  readonly filing_date: string;
  readonly report_date: ReportingReport['period_end'];
  readonly acceptance_date: Text;
  readonly is_inline_xbrl: boolean;
  readonly xbrl_processor_version: Text;
  readonly processed: boolean;
  readonly failed: boolean;
  readonly updated_at: string;
  readonly fiscal_year_focus: number;
  readonly fiscal_period_focus: Text;
  readonly fiscal_year_end_month: number;
};
