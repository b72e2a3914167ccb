import type { FactStore } from '@pacioli/blocks';
import { notFound, type Transaction } from '@pacioli/core';
import type { LibraryCatalog, TaxonomyReads } from '@pacioli/taxonomy';
import { shownValues } from '../statement-facts/index.ts';
import { findBundle } from './bundle-rows.ts';
import { bundleWarnings } from './report-bundles.ts';
import type { ReportColumn } from './report-columns.ts';
import { findReport, listReports, type ReportRow } from './report-rows.ts';
import { structuresOf } from './report-taxonomy.ts';
import { findStatements } from './statement-rows.ts';

export interface StructureServices {
  readonly library: LibraryCatalog;
  readonly taxonomyReads: TaxonomyReads;
}

/** A report in its wire form; its structures are read only if they are requested. */
export function shownReport(report: ReportRow) {
  return {
    id: report.id,
    name: report.name,
    taxonomy_id: report.taxonomy_id,
    generation_status: report.generation_status,
    period_type: report.period_type,
    period_start: report.period_start,
    period_end: report.period_end,
    comparative: report.comparative,
    periods: report.has_listed_columns ? report.columns.map(shownColumn) : null,
    mapping_id: report.mapping_id,
    ai_generated: report.ai_generated,
    created_at: report.created_at.toISOString(),
    last_generated: report.last_generated.toISOString(),
    entity_name: report.entity_name,
    filing_status: report.filing_status,
    filed_at: report.filed_at?.toISOString() ?? null,
    filed_by: report.filed_by,
    supersedes_id: report.supersedes_id,
    superseded_by_id: report.superseded_by_id,
    // Set on the copies of other graphs' reports alone (investor 7.9).
    source_graph_id: report.source_graph_id,
    source_report_id: report.source_report_id,
    shared_at: report.shared_at?.toISOString() ?? null,
    rule_summary: report.rule_summary,
  };
}

/** The response of an operation. */
export async function reportResponse(tx: Transaction, use: StructureServices, report: ReportRow) {
  const structures = await structuresOf(tx, use, [report.taxonomy_id]);
  return { ...shownReport(report), structures: [...(structures.get(report.taxonomy_id) ?? [])] };
}

/** One report for a query. */
export async function readShownReport(tx: Transaction, use: StructureServices, reportId: string) {
  const report = await findReport(tx, reportId);
  return report === undefined ? null : (withStructures(tx, use, [report])[0] ?? null);
}

/** Reports for a query, newest first (P-20). */
export async function readShownReports(tx: Transaction, use: StructureServices) {
  return withStructures(tx, use, await listReports(tx));
}

/** All reports share one read of structures, which happens only if a report is asked for them. */
function withStructures(tx: Transaction, use: StructureServices, reports: readonly ReportRow[]) {
  let found: ReturnType<typeof structuresOf> | undefined;
  const structures = async (taxonomyId: string) => {
    found ??= structuresOf(tx, use, [...new Set(reports.map((report) => report.taxonomy_id))]);
    return [...((await found).get(taxonomyId) ?? [])];
  };
  return reports.map((report) => ({
    ...shownReport(report),
    structures: () => structures(report.taxonomy_id),
  }));
}

/** One statement of a report, rendered from its facts; null without the report. Five statements (P-22, P-23). */
export async function readStatement(tx: Transaction, facts: FactStore, reportId: string, blockType: string) {
  const report = await findReport(tx, reportId);
  if (report === undefined) return null;
  const bundle = await findBundle(tx, reportId);
  const found = (await findStatements(tx, reportId)).filter((each) => each.block_type === blockType);
  // Of several notes the first one with numbers is shown (P-23).
  const statement = found.find(({ rows }) => rows.length > 0) ?? found[0];
  if (statement === undefined) throw notFound(`Report '${reportId}' has no statement of type '${blockType}'.`);
  const setIds = [statement.fact_set_id];
  const stored = await facts.facts(tx, { factSetIds: setIds, scenario: 'actuals' });
  // A row is about the whole company: the fact of one segment may not stand in for it (P-23).
  const ofMembers = new Set((await facts.members(tx, setIds)).map(({ factId }) => factId));
  const shownValue = shownValues(stored.filter(({ id }) => !ofMembers.has(id)));
  return {
    report_id: report.id,
    structure_id: statement.structure_id,
    structure_name: statement.structure_name,
    block_type: statement.block_type,
    periods: report.columns.map(shownColumn),
    rows: statement.rows.map((row) => ({
      element_id: row.element_id,
      element_qname: row.qname,
      element_name: row.name,
      trait: row.trait,
      values: report.columns.map((column) => shownValue(row, column)),
      is_subtotal: row.is_subtotal,
      depth: row.depth,
    })),
    validation: {
      passed: statement.validation.passed,
      status: statement.validation.status,
      checks: [...statement.validation.checks],
      failures: [...statement.validation.failures],
      warnings: [...statement.validation.warnings, ...bundleWarnings(bundle?.bundle_validation ?? null)],
    },
    unmapped_count: statement.unmapped_count,
  };
}

function shownColumn({ start, end, label }: ReportColumn) {
  return { start, end, label };
}
