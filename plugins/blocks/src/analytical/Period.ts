import { defineNode, sql } from '@pacioli/core';
import { factPeriods, rowsPerBatch } from '../projection/index.ts';
import type { BlocksFact } from '../rows.gen.ts';

/**
 * The distinct periods of facts (graphs SC-27). An instant is the end of a period; one that a report shows in a column
 * keeps the start of the column (reporting F-3). The quarter of a month or an instant is the one that it ends in.
 */
export const Period = defineNode('Period', {
  summary: 'A period of facts: a duration, or an instant at the end of `end_date`.',
  properties: {
    uri: 'STRING',
    start_date: 'STRING',
    end_date: 'STRING',
    calendar_year: 'INT32',
    calendar_quarter: 'STRING',
    days_in_period: 'INT32',
    period_type: 'STRING',
    duration_type: 'STRING',
    calendar_period_key: 'STRING',
  },
  rows: ({ tx }) =>
    tx.stream(
      sql<PeriodRow>`
        SELECT q.identifier, NULL::text AS uri, q.start_date, q.end_date, q.calendar_year, q.calendar_quarter,
          q.days_in_period, q.period_type, q.duration_type,
          CASE
            WHEN q.period_type = 'instant' THEN q.end_date
            WHEN q.duration_type = 'annual' THEN left(q.end_date, 4)
            WHEN q.duration_type = 'monthly' THEN left(q.end_date, 7)
            WHEN q.duration_type = 'other' THEN COALESCE(q.start_date || '..', '') || q.end_date
            ELSE left(q.end_date, 4) || q.calendar_quarter
          END AS calendar_period_key
        FROM (
          SELECT d.*, CASE d.duration_type
            WHEN 'annual' THEN 'FY'
            WHEN 'nine_months' THEN 'M9'
            WHEN 'semi_annual' THEN CASE WHEN d.month <= 6 THEN 'H1' ELSE 'H2' END
            ELSE 'Q' || ((d.month + 2) / 3) END AS calendar_quarter
          FROM (
            SELECT p.period_id AS identifier, p.start_date, p.end_date, p.period_type, p.calendar_year, p.month,
              CASE WHEN p.period_type = 'instant' THEN 0 ELSE p.days + 1 END AS days_in_period,
              CASE
                WHEN p.period_type = 'instant' THEN NULL
                WHEN p.days BETWEEN 25 AND 35 THEN 'monthly'
                WHEN p.days BETWEEN 80 AND 100 THEN 'quarterly'
                WHEN p.days BETWEEN 170 AND 190 THEN 'semi_annual'
                WHEN p.days BETWEEN 260 AND 290 THEN 'nine_months'
                WHEN p.days BETWEEN 350 AND 380 THEN 'annual'
                ELSE 'other'
              END AS duration_type
            FROM (
              SELECT DISTINCT f.period_id, f.period_start::text AS start_date, f.period_end::text AS end_date,
                f.period_type, f.period_end - f.period_start AS days, EXTRACT(YEAR FROM f.period_end)::int AS calendar_year,
                EXTRACT(MONTH FROM f.period_end)::int AS month
              FROM (${factPeriods(tx)}) AS f
            ) AS p
          ) AS d
        ) AS q ORDER BY q.identifier`,
      rowsPerBatch,
    ),
});

interface PeriodRow {
  readonly identifier: string;
  readonly uri: string | null;
  readonly start_date: BlocksFact['period_start'];
  readonly end_date: BlocksFact['period_end'];
  readonly calendar_year: number;
  readonly calendar_quarter: string;
  readonly days_in_period: number;
  readonly period_type: BlocksFact['period_type'];
  readonly duration_type: string | null;
  readonly calendar_period_key: string;
}
