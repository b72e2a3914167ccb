import { calendarDate, defineOperation, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { PeriodSpec } from '../models/PeriodSpec.ts';
import { ReportResponse } from '../models/report.ts';
import {
  columnsOfWindow,
  copyError,
  generationErrors,
  listedColumns,
  ReportWriter,
  reportResponse,
  reportServices,
  workOf,
} from '../reports/index.ts';

const CreateReportRequest = model(
  'CreateReportRequest',
  {
    name: Type.String(),
    mapping_id: Type.String(),
    period_start: calendarDate(),
    period_end: calendarDate(),
    taxonomy_id: Type.Optional(Type.String({ default: 'rs-gaap' })),
    period_type: Type.Optional(Type.String({ default: 'quarterly' })),
    comparative: Type.Optional(Type.Boolean({ default: true })),
    periods: Type.Optional(nullable(Type.Array(PeriodSpec))),
    supersedes_id: Type.Optional(nullable(Type.String())),
  },
  {
    fields: {
      taxonomy_id: 'The id of a taxonomy, or the name of a reporting standard.',
      periods: 'The columns in their order; replaces the period and its comparison.',
      supersedes_id: 'The filed report that this one restates. Filing this one archives it.',
    },
  },
);

export default defineOperation({
  name: 'create-report',
  summary: 'Creates a report: the statements of the books for one or more periods, as facts.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'create_report', tag: 'extensions_robo_ledger' },
  input: CreateReportRequest,
  output: ReportResponse,
  services: reportServices,
  stale: 'report_generated',
  mcp: {
    hint: 'Creates a report with all statements and their notes for one or more periods.',
  },
  errors: {
    ...generationErrors,
    INVALID_INPUT: 'The name, taxonomy, mapping, period or predecessor is invalid.',
    ...copyError,
    NOT_AUTHOR: { kind: 'forbidden', meaning: 'The report to restate belongs to another author.' },
  },

  async handle({ input, ctx, use }) {
    const isComparative = input.comparative ?? true;
    const window = { start: input.period_start, end: input.period_end };
    const report = await new ReportWriter(use).create(workOf(ctx), {
      name: input.name,
      taxonomy: input.taxonomy_id ?? 'rs-gaap',
      mappingId: input.mapping_id,
      periodType: input.period_type ?? 'quarterly',
      isComparative,
      columns: input.periods == null ? columnsOfWindow(window, isComparative) : listedColumns(input.periods),
      supersedesId: input.supersedes_id ?? undefined,
    });
    return reportResponse(ctx.tx, use, report);
  },
});
