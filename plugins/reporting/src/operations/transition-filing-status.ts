import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import { ReportResponse } from '../models/report.ts';
import {
  changeErrors,
  ReportFiler,
  refuseOthersWork,
  reportResponse,
  reportServices,
  workOf,
} from '../reports/index.ts';

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
    ...changeErrors,
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
