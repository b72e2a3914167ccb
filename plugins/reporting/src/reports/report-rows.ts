import { columnsOf, type RowOf, ServiceError, StoreError, sql, type Transaction } from '@pacioli/core';
import type { ReportingReport } from '../rows.gen.ts';
import type { FilingStatus } from './filing-status.ts';
import type { OpenMonths } from './open-months.ts';
import type { ReportColumn } from './report-columns.ts';

const maxReportsListed = 500;

const storedColumns = columnsOf<ReportingReport>('r')(
  'id',
  'name',
  'taxonomy_id',
  'mapping_id',
  'entity_id',
  'entity_name',
  'period_type',
  'period_start',
  'period_end',
  'comparative',
  'has_listed_columns',
  'ai_generated',
  'generation',
  'generation_status',
  'filing_status',
  'filed_at',
  'filed_by',
  'supersedes_id',
  'superseded_by_id',
  'created_by',
  'created_at',
  'last_generated',
  'source_graph_id',
  'source_report_id',
  'shared_at',
);
const reportColumns = sql`${storedColumns}, r.columns, r.rule_summary, r.open_months`;

/** A report as it is stored. */
export type ReportRow = RowOf<typeof storedColumns> & {
  readonly columns: readonly ReportColumn[];
  readonly rule_summary: Readonly<Record<string, number>> | null;
  readonly open_months: OpenMonths;
};

/** The columns of the row that a generation sets. */
export type GeneratedReport = Pick<
  ReportRow,
  | 'taxonomy_id'
  | 'entity_id'
  | 'entity_name'
  | 'period_start'
  | 'period_end'
  | 'columns'
  | 'has_listed_columns'
  | 'ai_generated'
  | 'open_months'
> & { readonly mapping_id: string };

/** A report to insert. */
export type NewReport = GeneratedReport &
  Pick<ReportRow, 'id' | 'name' | 'period_type' | 'comparative' | 'supersedes_id' | 'created_by' | 'created_at'>;

export async function findReport(tx: Transaction, id: string): Promise<ReportRow | undefined> {
  const [row] = await tx.query(sql<ReportRow>`select ${reportColumns} from reporting_report r
    where r.graph_id = ${tx.graphId} and r.id = ${id}`);
  return row;
}

/** Newest first (P-20). */
export async function listReports(tx: Transaction): Promise<readonly ReportRow[]> {
  return tx.query(sql<ReportRow>`select ${reportColumns} from reporting_report r
    where r.graph_id = ${tx.graphId} order by r.created_at desc, r.id desc limit ${maxReportsListed}`);
}

/** Locks a report until the transaction ends, without waiting: a conflict if another one holds it (P-5). */
export async function lockReport(tx: Transaction, id: string): Promise<ReportRow | undefined> {
  try {
    const [row] = await tx.query(sql<ReportRow>`select ${reportColumns} from reporting_report r
      where r.graph_id = ${tx.graphId} and r.id = ${id} for update of r nowait`);
    return row;
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'lock-timeout') throw error;
    throw writeConflict(id, error);
  }
}

/** The refusal of a report that another request writes or shares (P-5). */
export function writeConflict(id: string, cause?: unknown): ServiceError {
  const message = `Report '${id}' is being written by another process. Retry in a moment.`;
  return new ServiceError('conflict', 'WRITE_CONFLICT', message, { headers: { 'Retry-After': '1' }, cause });
}

/** Those of the reports that are filed or archived; one statement (taxonomy T-40). */
export async function filedReports(tx: Transaction, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await tx.query(sql<Pick<ReportingReport, 'id'>>`select id from reporting_report
    where graph_id = ${tx.graphId} and id = any(${[...ids]}::text[]) and filing_status in ('filed', 'archived')`);
  return rows.map(({ id }) => id);
}

/** Inserts a report whose figures are still to be written (P-7). */
export async function insertReport(tx: Transaction, report: NewReport): Promise<void> {
  await tx.query(sql`
    insert into reporting_report (graph_id, id, name, taxonomy_id, mapping_id, entity_id, entity_name, period_type,
      period_start, period_end, comparative, columns, has_listed_columns, ai_generated, open_months, generation, generation_status,
      filing_status, supersedes_id, created_by, created_at, last_generated)
    values (${tx.graphId}, ${report.id}, ${report.name}, ${report.taxonomy_id}, ${report.mapping_id},
      ${report.entity_id}, ${report.entity_name}, ${report.period_type}, ${report.period_start}::date,
      ${report.period_end}::date, ${report.comparative}, ${JSON.stringify(report.columns)}::text::jsonb,
      ${report.has_listed_columns}, ${report.ai_generated}, ${JSON.stringify(report.open_months)}::text::jsonb, 1, 'generating', 'draft',
      ${report.supersedes_id}, ${report.created_by}, ${report.created_at}, ${report.created_at})`);
}

/** Prepares an unfiled report for its next generation; a report under review is a draft again (P-14). */
export async function restartReport(tx: Transaction, id: string, report: GeneratedReport): Promise<void> {
  await changeUnfiled(
    tx,
    id,
    sql`taxonomy_id = ${report.taxonomy_id}, mapping_id = ${report.mapping_id}, entity_id = ${report.entity_id},
      entity_name = ${report.entity_name}, period_start = ${report.period_start}::date,
      period_end = ${report.period_end}::date, columns = ${JSON.stringify(report.columns)}::text::jsonb,
      has_listed_columns = ${report.has_listed_columns}, ai_generated = ${report.ai_generated},
      open_months = ${JSON.stringify(report.open_months)}::text::jsonb, generation = generation + 1,
      generation_status = 'generating', filing_status = 'draft', rule_summary = null`,
  );
}

/** Ends a generation (P-7). */
export async function publishReport(
  tx: Transaction,
  id: string,
  ruleSummary: ReportRow['rule_summary'],
  now: Date,
): Promise<void> {
  await changeUnfiled(
    tx,
    id,
    sql`generation_status = 'published', rule_summary = ${ruleSummary === null ? null : JSON.stringify(ruleSummary)}::text::jsonb,
      last_generated = ${now}`,
  );
}

/** Sets a status that the caller has checked, as `transitionTo` does; it also archives a filed report. */
export async function setFilingStatus(tx: Transaction, id: string, status: FilingStatus): Promise<void> {
  await tx.query(sql`update reporting_report set filing_status = ${status}
    where graph_id = ${tx.graphId} and id = ${id}`);
}

/** Files a report (P-2). */
export async function fileReport(tx: Transaction, id: string, userId: string, now: Date): Promise<void> {
  await changeUnfiled(tx, id, sql`filing_status = 'filed', filed_at = ${now}, filed_by = ${userId}`);
}

/** Archives a report in favor of its restatement, unless it has one already (P-17). The caller has checked its status. */
export async function supersedeReport(tx: Transaction, id: string, successorId: string): Promise<void> {
  await tx.query(sql`update reporting_report set filing_status = 'archived', superseded_by_id = ${successorId}
    where graph_id = ${tx.graphId} and id = ${id} and superseded_by_id is null`);
}

/** Deletes an unfiled report or a copy, and with it its statements. The fact store deletes its facts. */
export async function deleteReport(tx: Transaction, id: string): Promise<void> {
  await tx.query(sql`delete from reporting_report
    where graph_id = ${tx.graphId} and id = ${id}
      and (filing_status in ('draft', 'under_review') or source_graph_id is not null)`);
}

/** Changes nothing if the report is filed or archived, although callers check that before (P-16). */
async function changeUnfiled(tx: Transaction, id: string, assignments: ReturnType<typeof sql>): Promise<void> {
  await tx.query(sql`update reporting_report set ${assignments}
    where graph_id = ${tx.graphId} and id = ${id} and filing_status in ('draft', 'under_review')`);
}
