import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import { ReportResponse } from '../models/report.ts';
import { ReportFiler, refuseOthersWork, reportResponse, reportServices, workOf } from '../reports/index.ts';

const TransitionFilingStatusRequest = model('TransitionFilingStatusRequest', {
  report_id: Type.String(),
  target_status: Type.String(),
});

export default defineOperation({
  name: 'transition-filing-status',
  summary: 'Submits a draft report for review, withdraws it, or archives a filed report.',
  role: 'member',
  domain: 'ledger',
  openapi: { id: 'transition_filing_status', tag: 'extensions_robo_ledger' },
  input: TransitionFilingStatusRequest,
  output: ReportResponse,
  mcp: { held: 'The review of a report is done by people.' },
  services: reportServices,
  stale: 'report_status_changed',
  errors: {
    INVALID_INPUT: 'The report cannot move from its status to this one.',
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
    const report = await new ReportFiler(use).transition(workOf(ctx), input.report_id, input.target_status);
    return reportResponse(ctx.tx, use, report);
  },
});
