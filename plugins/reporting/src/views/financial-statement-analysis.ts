import { defineView, graphReads, model, nullable, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';
import {
  openGraph,
  periodFilter,
  reportErrors,
  requireReport,
  type StatementFact,
  startOf,
  statementFacts,
} from '../fact-grids/index.ts';
import { ResolvedReportInfo } from '../models/ResolvedReportInfo.ts';

const FinancialStatementAnalysisRequest = model('FinancialStatementAnalysisRequest', {
  statement_type: Type.String(),
  ticker: Type.Optional(nullable(Type.String())),
  report_id: Type.Optional(nullable(Type.String())),
  fiscal_year: Type.Optional(nullable(Type.Integer())),
  period_type: Type.Optional(nullable(Type.String())),
  limit: Type.Optional(Type.Integer({ default: 1000 })),
});

const AnalyticalStatementFactRow = model('AnalyticalStatementFactRow', {
  qname: Type.String(),
  name: Type.String(),
  canonical_concept: Type.Optional(nullable(Type.String())),
  value: Type.Optional(nullable(Type.Number())),
  start_date: Type.Optional(nullable(Type.String())),
  end_date: Type.Optional(nullable(Type.String())),
  period_type: Type.Optional(nullable(Type.String())),
  duration_type: Type.Optional(nullable(Type.String())),
});

/** Values are in currency units, on the natural side of each concept (reporting F-7). */
const FinancialStatementAnalysisResponse = model('FinancialStatementAnalysisResponse', {
  graph_id: Type.String(),
  statement_type: Type.String(),
  facts: Type.Array(AnalyticalStatementFactRow),
  fact_count: Type.Integer(),
  ticker: Type.Optional(nullable(Type.String())),
  report_id: Type.Optional(nullable(Type.String())),
  resolved_report: Type.Optional(nullable(ResolvedReportInfo)),
});

const maxFacts = 5_000;
const defaultFacts = 1_000;

export default defineView({
  name: 'financial-statement-analysis',
  summary: 'The facts of a statement in a report, newest periods first and in print order, from the analytical graph.',
  role: 'viewer',
  domain: 'ledger',
  openapi: { id: 'financial_statement_analysis', tag: 'extensions_robo_ledger' },
  input: FinancialStatementAnalysisRequest,
  output: FinancialStatementAnalysisResponse,
  services: { graphs: graphReads },
  mcp: {
    hint: 'Facts of a statement of one report, from the materialized graph; take report_id from the reports.',
  },
  errors: reportErrors,

  async handle({ input, ctx, use }) {
    const periods = periodFilter(input.statement_type, input.period_type);
    const limit = input.limit ?? defaultFacts;
    if (limit < 1 || limit > maxFacts)
      throw new ServiceError('refused', 'INVALID_INPUT', `limit is from 1 to ${maxFacts}, not ${limit}.`);
    const graph = await openGraph(use.graphs, ctx);
    const report = await requireReport(graph, input.report_id);
    const request = { reportId: report.report_id, type: input.statement_type, periods };
    const facts = (await statementFacts(graph, request)).slice(0, limit);
    return {
      graph_id: ctx.graph.id,
      statement_type: input.statement_type,
      facts: facts.map(rowOf),
      fact_count: facts.length,
      ticker: null,
      report_id: report.report_id,
      resolved_report: report,
    };
  },
});

function rowOf(fact: StatementFact) {
  return {
    qname: fact.qname,
    name: fact.element_name ?? fact.qname,
    canonical_concept: fact.canonical_concept,
    value: fact.number === null ? null : Number(fact.number),
    start_date: startOf(fact),
    end_date: fact.end_date,
    period_type: fact.period_type,
    duration_type: fact.duration_type,
  };
}
