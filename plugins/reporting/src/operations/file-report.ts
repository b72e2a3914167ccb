import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import { ReportResponse } from '../models/report.ts';
import { ReportFiler, refuseOthersWork, reportResponse, reportServices, workOf } from '../reports/index.ts';

const FileReportRequest = model('FileReportRequest', { report_id: Type.String() });

export default defineOperation({
  name: 'file-report',
  summary: 'Files a report, after which its figures never change.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'file_report', tag: 'extensions_robo_ledger' },
  input: FileReportRequest,
  output: ReportResponse,
  mcp: { held: 'Makes the figures of a report final.' },
  services: reportServices,
  stale: 'report_status_changed',
  errors: {
    REPORT_NOT_VALIDATED: {
      kind: 'unavailable',
      meaning: 'The validator stopped, took too long or has too many reports waiting. Nothing changed.',
    },
    REPORT_STORE_FAILED: { kind: 'upstream', meaning: 'The file of the report could not be stored. Nothing changed.' },
    INVALID_INPUT: 'The report is filed already, a rule of severity error failed, or its predecessor was restated.',
    REPORT_IS_COPY: {
      kind: 'forbidden',
      meaning: 'The report is a copy of another graph, which only that graph changes.',
    },
    NOT_AUTHOR: { kind: 'forbidden', meaning: 'The report belongs to another author, who is still a member.' },
    NOT_FOUND: 'The graph has no report with this id.',
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another request is writing the report or its predecessor.' },
  },

  async prepare({ input, ctx, use }) {
    await refuseOthersWork(ctx, use, input.report_id);
  },

  async handle({ input, ctx, use }) {
    return reportResponse(ctx.tx, use, await new ReportFiler(use).file(workOf(ctx), input.report_id));
  },
});
