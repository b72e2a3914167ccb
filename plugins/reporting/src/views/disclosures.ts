import { defineView, graphReads, model, nullable, openObject } from '@pacioli/core';
import { Type } from 'typebox';
import { openGraph, reportErrors, requireReport, staleNote } from '../fact-grids/index.ts';
import { ResolvedReportInfo } from '../models/ResolvedReportInfo.ts';
import {
  blockRow,
  disclosureRows,
  namedSections,
  readAxes,
  readSections,
  readTexts,
  readTotals,
  sectionOfTopic,
} from '../report-sections/index.ts';

const DisclosuresRequest = model('DisclosuresRequest', {
  ticker: Type.Optional(nullable(Type.String())),
  report_id: Type.Optional(nullable(Type.String())),
  fiscal_year: Type.Optional(nullable(Type.Integer())),
  period_type: Type.Optional(nullable(Type.String())),
  topic: Type.Optional(nullable(Type.String())),
});

/** With a topic: its category and blocks. Without: all disclosures and their count. */
const DisclosuresResponse = model('DisclosuresResponse', {
  graph_id: Type.String(),
  report_id: Type.String(),
  resolved_report: Type.Optional(nullable(ResolvedReportInfo)),
  disclosures: Type.Optional(nullable(Type.Array(openObject()))),
  count: Type.Optional(nullable(Type.Integer())),
  disclosure: Type.Optional(nullable(Type.String())),
  category: Type.Optional(nullable(Type.String())),
  blocks: Type.Optional(nullable(Type.Array(openObject()))),
  block_count: Type.Optional(nullable(Type.Integer())),
  note: Type.Optional(nullable(Type.String())),
});

export default defineView({
  name: 'disclosures',
  summary: 'The sections of a report: statements and notes, with the blocks that information-block reads.',
  role: 'viewer',
  domain: 'ledger',
  openapi: { id: 'disclosures', tag: 'extensions_robo_ledger' },
  input: DisclosuresRequest,
  output: DisclosuresResponse,
  services: { graphs: graphReads },
  mcp: {
    hint: 'The map of one report, from the materialized graph; call it before information-block.',
  },
  errors: reportErrors,

  async handle({ input, ctx, use }) {
    const graph = await openGraph(use.graphs, ctx);
    const report = await requireReport(graph, input.report_id);
    const sections = namedSections(await readSections(graph, report.report_id));
    const texts = await readTexts(graph, report.report_id);
    const head = {
      graph_id: ctx.graph.id,
      report_id: report.report_id,
      resolved_report: report,
      note: staleNote(graph),
    };
    if (input.topic === undefined || input.topic === null || input.topic.trim() === '')
      return { ...head, disclosures: disclosureRows(sections, texts), count: sections.length };
    const section = sectionOfTopic(sections, input.topic);
    const extras = {
      texts,
      axes: await readAxes(graph, report.report_id),
      totals: await readTotals(graph, [section.id]),
    };
    const { name: disclosure, category } = section;
    return { ...head, disclosure, category, blocks: [blockRow(section, extras)], block_count: 1 };
  },
});
