import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import { ReportResponse } from '../models/report.ts';
import {
  changeErrors,
  generationErrors,
  ReportFiler,
  refuseOthersWork,
  reportResponse,
  reportServices,
  workOf,
} from '../reports/index.ts';

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
    ...generationErrors,
    INVALID_INPUT:
      'The report is filed already, a check of a statement or a rule of severity error failed, or its predecessor was restated.',
    ...changeErrors,
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another request is writing the report or its predecessor.' },
  },

  async prepare({ input, ctx, use }) {
    await refuseOthersWork(ctx, use, input.report_id);
  },

  async handle({ input, ctx, use }) {
    return reportResponse(ctx.tx, use, await new ReportFiler(use).file(workOf(ctx), input.report_id));
  },
});
