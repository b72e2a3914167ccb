import { invalidInput, type ServiceError, type Transaction } from '@pacioli/core';
import { isImmutable, transitionTo } from './filing-status.ts';
import { ReportBundles } from './report-bundles.ts';
import { noteChangedTexts } from './report-passages.ts';
import { fileReport, lockReport, type ReportRow, setFilingStatus, supersedeReport } from './report-rows.ts';
import type { ReportWork } from './report-work.ts';
import { alreadySuperseded, lockOwnReport, readReport } from './report-writer.ts';
import type { ReportServices } from './services.ts';
import { findStatements } from './statement-rows.ts';

const maxFailuresNamed = 5;

/** Moves reports through their filing. */
export class ReportFiler {
  readonly #use: ReportServices;

  constructor(use: ReportServices) {
    this.#use = use;
  }

  /** Every transition other than filing (P-2, P-3). */
  async transition(work: ReportWork, reportId: string, target: string): Promise<ReportRow> {
    const report = await lockOwnReport(work, reportId);
    await setFilingStatus(work.tx, reportId, transitionTo(reportId, report.filing_status, target));
    await noteChangedTexts(work.tx, this.#use.textChanges, [reportId]);
    return readReport(work.tx, reportId);
  }

  /** Files a report, which makes its figures final, and archives the report that it restates (P-2, P-16, P-17). */
  async file(work: ReportWork, reportId: string): Promise<ReportRow> {
    const { tx, userId, now } = work;
    const report = await lockOwnReport(work, reportId);
    if (isImmutable(report.filing_status)) {
      throw invalidInput(
        `Report '${reportId}' is in '${report.filing_status}'; can only file from 'draft' or 'under_review'.`,
      );
    }
    if (this.#use.settings.fileGate) await this.#requireSound(tx, reportId);
    await this.#use.facts.finalizeSets(tx, { reportId, scenario: 'all' });
    await new ReportBundles(this.#use).file(work, reportId);
    await fileReport(tx, reportId, userId, now);
    if (report.supersedes_id !== null) {
      const predecessor = await lockReport(tx, report.supersedes_id);
      if (predecessor === undefined || predecessor.superseded_by_id !== null) {
        throw alreadySuperseded(predecessor ?? report);
      }
      await supersedeReport(tx, predecessor.id, reportId);
    }
    await noteChangedTexts(
      tx,
      this.#use.textChanges,
      [reportId, report.supersedes_id].filter((id) => id !== null),
    );
    return readReport(tx, reportId);
  }

  /** Refuses while a statement leaves something out or does not tie, or a rule of severity error fails (P-21). */
  async #requireSound(tx: Transaction, reportId: string): Promise<void> {
    const statements = await findStatements(tx, reportId);
    const unsound = statements.flatMap(({ structure_name: name, validation }) =>
      validation.failures.map((failure) => `${name}: ${failure}`),
    );
    if (unsound.length > 0) throw notFileable(reportId, `${unsound.length} check(s) of its statements failed`, unsound);
    const setIds = statements.map((statement) => statement.fact_set_id);
    const failures = await this.#use.rules.blockingFailures(tx, setIds);
    if (failures.length === 0) return;
    const names = new Map(statements.map(({ structure_id, structure_name }) => [structure_id, structure_name]));
    const found = failures.map(
      ({ ruleId, structureId, message }) => `${names.get(structureId) ?? structureId}: ${message ?? ruleId}`,
    );
    throw notFileable(reportId, `${failures.length} rule(s) of severity error failed`, found);
  }
}

function notFileable(reportId: string, what: string, found: readonly string[]): ServiceError {
  return invalidInput(
    `Report '${reportId}' cannot be filed: ${what}. ${found.slice(0, maxFailuresNamed).join('; ')}. Correct the books or the mapping and regenerate the report.`,
  );
}
