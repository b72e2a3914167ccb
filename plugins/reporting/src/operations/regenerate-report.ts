import { calendarDate, defineOperation, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { PeriodSpec } from '../models/PeriodSpec.ts';
import { ReportResponse } from '../models/report.ts';
import { ReportWriter, refuseOthersWork, reportResponse, reportServices, workOf } from '../reports/index.ts';

const RegenerateReportOperation = model('RegenerateReportOperation', {
  report_id: Type.String(),
  period_start: Type.Optional(nullable(calendarDate())),
  period_end: Type.Optional(nullable(calendarDate())),
  periods: Type.Optional(nullable(Type.Array(PeriodSpec))),
});

export default defineOperation({
  name: 'regenerate-report',
  summary: 'Generates the figures of an unfiled report anew from the current books.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'regenerate_report', tag: 'extensions_robo_ledger' },
  input: RegenerateReportOperation,
  output: ReportResponse,
  services: reportServices,
  stale: 'report_generated',
  mcp: { hint: 'Generates the figures of an unfiled report anew from the current books.', idempotent: true },
  errors: {
    REPORT_NOT_VALIDATED: {
      kind: 'unavailable',
      meaning: 'The validator stopped, took too long or has too many reports waiting. Nothing changed.',
    },
    REPORT_STORE_FAILED: { kind: 'upstream', meaning: 'The file of the report could not be stored. Nothing changed.' },
    INVALID_INPUT: 'The report is filed, or its period or mapping is invalid.',
    REPORT_IS_COPY: {
      kind: 'forbidden',
      meaning: 'The report is a copy of another graph, which only that graph changes.',
    },
    NOT_AUTHOR: { kind: 'forbidden', meaning: 'The report belongs to another author, who is still a member.' },
    NOT_FOUND: 'The graph has no report with this id.',
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another request is writing the report.' },
  },

  async prepare({ input, ctx, use }) {
    await refuseOthersWork(ctx, use, input.report_id);
  },

  async handle({ input, ctx, use }) {
    const report = await new ReportWriter(use).regenerate(workOf(ctx), input.report_id, {
      start: input.period_start ?? undefined,
      end: input.period_end ?? undefined,
      periods: input.periods ?? undefined,
    });
    return reportResponse(ctx.tx, use, report);
  },
});
