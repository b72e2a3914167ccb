import { defineView, graphReads, model, nullable, openObject, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';
import { openGraph, reportErrors, requireReport, staleNote } from '../fact-grids/index.ts';
import { ResolvedReportInfo } from '../models/ResolvedReportInfo.ts';
import { namedSections, readSection, readSections, sectionOfBlock, sectionPage } from '../report-sections/index.ts';

const InformationBlockRequest = model('InformationBlockRequest', {
  block: Type.String(),
  ticker: Type.Optional(nullable(Type.String())),
  report_id: Type.Optional(nullable(Type.String())),
  fiscal_year: Type.Optional(nullable(Type.Integer())),
  period_type: Type.Optional(nullable(Type.String())),
  periods: Type.Optional(nullable(Type.Array(Type.String()))),
  member: Type.Optional(nullable(Type.String())),
  max_rows: Type.Optional(nullable(Type.Integer())),
  max_members: Type.Optional(nullable(Type.Integer())),
  offset: Type.Optional(nullable(Type.Integer())),
});

/** Values are in currency units, on the natural side of each concept (reporting F-7). */
const InformationBlockResponse = model('InformationBlockResponse', {
  graph_id: Type.String(),
  report_id: Type.String(),
  block: openObject(),
  resolved_report: Type.Optional(nullable(ResolvedReportInfo)),
  columns: Type.Optional(Type.Array(openObject())),
  axes: Type.Optional(nullable(Type.Array(openObject()))),
  rows: Type.Optional(Type.Array(openObject())),
  row_count: Type.Optional(nullable(Type.Integer())),
  truncated: Type.Optional(nullable(Type.Boolean())),
  offset: Type.Optional(nullable(Type.Integer())),
  ancestors: Type.Optional(nullable(Type.Array(openObject()))),
  next_offset: Type.Optional(nullable(Type.Integer())),
  calculation: Type.Optional(nullable(Type.Array(openObject()))),
  text: Type.Optional(nullable(Type.Array(openObject()))),
  note: Type.Optional(nullable(Type.String())),
});

const maxRows = 400;
const maxPeriods = 500;

export default defineView({
  name: 'information-block',
  summary: 'One section of a report: its rows by period and member, the check of its totals, and its texts.',
  role: 'viewer',
  domain: 'ledger',
  openapi: { id: 'information_block', tag: 'extensions_robo_ledger' },
  input: InformationBlockRequest,
  output: InformationBlockResponse,
  services: { graphs: graphReads },
  mcp: { hint: 'One section of a report read whole; take block from disclosures.' },
  errors: reportErrors,

  async handle({ input, ctx, use }) {
    const periods = input.periods ?? null;
    const request = {
      periods: periods === null || periods.length === 0 ? null : periods,
      member: input.member ?? null,
      maxMembers: positive('max_members', input.max_members ?? null),
      maxRows: Math.min(positive('max_rows', input.max_rows ?? maxRows) ?? maxRows, maxRows),
      offset: input.offset ?? 0,
    };
    if (request.offset < 0) throw refused(`offset is at least 0, not ${request.offset}.`);
    if (periods !== null && periods.length > maxPeriods) throw refused(`At most ${maxPeriods} periods are kept.`);
    const graph = await openGraph(use.graphs, ctx);
    const report = await requireReport(graph, input.report_id);
    const section = sectionOfBlock(namedSections(await readSections(graph, report.report_id)), input.block);
    const content = await readSection(graph, { report: report.report_id, structure: section.id });
    const { block: id, role, name, level, category } = section;
    return {
      graph_id: ctx.graph.id,
      report_id: report.report_id,
      block: { id, role, name, level, disclosure: name, category },
      resolved_report: report,
      note: staleNote(graph),
      ...sectionPage(content, { ...request, isAnnual: report.fiscal_period === 'FY' }),
    };
  },
});

function positive(name: string, value: number | null): number | null {
  if (value === null || value >= 1) return value;
  throw refused(`${name} is at least 1, not ${value}.`);
}

function refused(message: string): ServiceError {
  return new ServiceError('refused', 'INVALID_INPUT', message);
}
