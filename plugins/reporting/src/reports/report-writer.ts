import { characterCount, invalidInput, notFound, type ServiceError, type Transaction } from '@pacioli/core';
import { openMonths } from './open-months.ts';
import { isCopy, notAuthor } from './report-authors.ts';
import { ReportBundles } from './report-bundles.ts';
import { columnsOfWindow, listedColumns, type ReportColumn, type ReportColumns } from './report-columns.ts';
import { ReportFigures } from './report-figures.ts';
import { noteChangedTexts } from './report-passages.ts';
import {
  deleteReport,
  findReport,
  type GeneratedReport,
  insertReport,
  lockReport,
  publishReport,
  type ReportRow,
  restartReport,
} from './report-rows.ts';
import { resolveTaxonomy } from './report-taxonomy.ts';
import type { ReportWork } from './report-work.ts';
import type { ReportServices } from './services.ts';

/** A report to create. */
export interface ReportRequest {
  readonly name: string;
  readonly taxonomy: string;
  readonly mappingId: string;
  readonly periodType: string;
  readonly isComparative: boolean;
  readonly columns: ReportColumns;
  readonly supersedesId: string | undefined;
}

/** New columns of a report; without any, it keeps its own. */
export interface ColumnChange {
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly periods: readonly ReportColumn[] | undefined;
}

const maxNameCharacters = 255;
const periodTypes = ['monthly', 'quarterly', 'annual'] as const;

/** Generates reports from the ledger. Each call sends a constant number of statements (P-7). */
export class ReportWriter {
  readonly #use: ReportServices;
  readonly #figures: ReportFigures;

  constructor(use: ReportServices) {
    this.#use = use;
    this.#figures = new ReportFigures(use);
  }

  /** Creates a report and its figures (P-7). */
  async create(work: ReportWork, request: ReportRequest): Promise<ReportRow> {
    const { tx, userId, now } = work;
    const name = request.name.trim();
    if (name === '' || characterCount(name) > maxNameCharacters) {
      throw invalidInput(`name: give 1 to ${maxNameCharacters} characters.`);
    }
    const periodType = periodTypes.find((type) => type === request.periodType);
    if (periodType === undefined) {
      throw invalidInput(`period_type must be ${periodTypes.join(', ')}, not '${request.periodType}'.`);
    }
    const taxonomyId = await resolveTaxonomy(tx, this.#use, request.taxonomy);
    const prepared = await this.#prepare(work, { taxonomyId, mappingId: request.mappingId }, request.columns);
    if (request.supersedesId !== undefined) await requirePredecessor(work, request.supersedesId, prepared.entity_id);
    const report = {
      ...prepared,
      id: this.#use.ids.make('rpt'),
      name,
      period_type: periodType,
      comparative: request.isComparative,
      supersedes_id: request.supersedesId ?? null,
      created_by: userId,
      created_at: now,
    };
    await insertReport(tx, report);
    await this.#generate(work, report.id, prepared);
    return readReport(tx, report.id);
  }

  /** Generates the figures of an unfiled report anew, with the current style, mapping and books (P-14). */
  async regenerate(work: ReportWork, reportId: string, change: ColumnChange): Promise<ReportRow> {
    const report = await lockOwnReport(work, reportId);
    requireUnfiled(report, 'be regenerated. Create a report that restates it');
    if (report.mapping_id === null) throw new Error('A report of the graph must have a mapping.');
    const from = { taxonomyId: report.taxonomy_id, mappingId: report.mapping_id };
    const prepared = await this.#prepare(work, from, changedColumns(report, change));
    await this.#figures.remove(work.tx, reportId);
    await restartReport(work.tx, reportId, prepared);
    await this.#generate(work, reportId, prepared);
    return readReport(work.tx, reportId);
  }

  /**
   * Deletes an unfiled report with its figures, or a copy of another graph's report in any state, which only an admin
   * may (P-15).
   */
  async remove(work: ReportWork, reportId: string): Promise<void> {
    const found = await findReport(work.tx, reportId);
    if (found?.source_graph_id != null && work.isAdmin) {
      await lockReport(work.tx, reportId);
    } else {
      requireUnfiled(await lockOwnReport(work, reportId), 'be deleted');
    }
    await this.#figures.remove(work.tx, reportId);
    await deleteReport(work.tx, reportId);
    await noteChangedTexts(work.tx, this.#use.textChanges, [reportId]);
  }

  async #prepare(
    { tx, now, isByOperator }: ReportWork,
    from: { readonly taxonomyId: string; readonly mappingId: string },
    { columns, window, isListed }: ReportColumns,
  ): Promise<GeneratedReport> {
    const entity = await this.#use.entities.primary(tx);
    if (entity === undefined) throw invalidInput('The graph has no company to report on.');
    return {
      taxonomy_id: from.taxonomyId,
      mapping_id: from.mappingId,
      entity_id: entity.id,
      entity_name: entity.name,
      period_start: window.start,
      period_end: window.end,
      columns,
      has_listed_columns: isListed,
      ai_generated: isByOperator,
      open_months: openMonths(columns, await this.#use.calendar.state(tx, now)),
    };
  }

  async #generate(work: ReportWork, reportId: string, report: GeneratedReport): Promise<void> {
    const { summary, ...generated } = await this.#figures.write(work, reportId, report);
    await new ReportBundles(this.#use).store(work, reportId, generated);
    await publishReport(work.tx, reportId, summary, work.now);
    await noteChangedTexts(work.tx, this.#use.textChanges, [reportId]);
  }
}

/** A report that exists. */
export async function readReport(tx: Transaction, reportId: string): Promise<ReportRow> {
  const report = await findReport(tx, reportId);
  if (report === undefined) throw reportNotFound(reportId);
  return report;
}

/**
 * Locks a report that the caller may change (P-4, P-5). An admin passes, because `refuseOthersWork` has refused those
 * whose author is still a member, before this transaction.
 */
export async function lockOwnReport({ tx, userId, isAdmin }: ReportWork, reportId: string): Promise<ReportRow> {
  const report = await lockReport(tx, reportId);
  if (report === undefined) throw reportNotFound(reportId);
  if (report.source_graph_id !== null) throw isCopy(reportId);
  if (report.created_by !== userId && !isAdmin) throw notAuthor(reportId);
  return report;
}

/** Refuses a report that cannot be restated (P-17); filing the restatement checks this again. */
async function requirePredecessor({ tx, userId, isAdmin }: ReportWork, id: string, entityId: string): Promise<void> {
  const report = await findReport(tx, id);
  if (report === undefined) throw invalidInput(`supersedes_id: report '${id}' not found.`);
  if (report.source_graph_id !== null) throw isCopy(id);
  if (report.created_by !== userId && !isAdmin) throw notAuthor(id);
  if (report.superseded_by_id !== null) throw alreadySuperseded(report);
  if (report.filing_status !== 'filed') {
    throw invalidInput(`supersedes_id: report '${id}' is '${report.filing_status}'; only a filed report is restated.`);
  }
  if (report.entity_id !== entityId) throw invalidInput(`supersedes_id: report '${id}' is about another company.`);
}

export function alreadySuperseded(report: ReportRow): ServiceError {
  return invalidInput(
    `Report '${report.id}' is already superseded by report '${report.superseded_by_id}'. Restate that one instead.`,
  );
}

function requireUnfiled({ id, filing_status }: ReportRow, what: string): void {
  if (filing_status === 'draft' || filing_status === 'under_review') return;
  throw invalidInput(`Report '${id}' is '${filing_status}' and cannot ${what}.`);
}

function reportNotFound(reportId: string): ServiceError {
  return notFound(`Report '${reportId}' not found.`);
}

/** The given columns; without them, those of the given window; without both, the stored ones (P-14). */
function changedColumns(report: ReportRow, { start, end, periods }: ColumnChange): ReportColumns {
  if (periods !== undefined) return listedColumns(periods);
  if (start !== undefined && end !== undefined) return columnsOfWindow({ start, end }, report.comparative);
  if (start !== undefined || end !== undefined) {
    throw invalidInput('Give period_start and period_end together, or neither.');
  }
  return {
    columns: report.columns,
    window: { start: report.period_start, end: report.period_end },
    isListed: report.has_listed_columns,
  };
}
