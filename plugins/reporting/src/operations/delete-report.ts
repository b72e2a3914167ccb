import { defineOperation, model } from '@pacioli/core';
import { Type } from 'typebox';
import reportDeleted from '../events/report-deleted.ts';
import { ReportWriter, refuseOthersWork, reportServices, workOf } from '../reports/index.ts';

const DeleteReportOperation = model('DeleteReportOperation', { report_id: Type.String() });

export default defineOperation({
  name: 'delete-report',
  summary: 'Deletes an unfiled report with its figures.',
  role: 'member',
  effect: 'destructive',
  domain: 'ledger',
  openapi: { id: 'delete_report', tag: 'extensions_robo_ledger' },
  input: DeleteReportOperation,
  output: model('DeleteResult', { deleted: Type.Boolean() }),
  services: reportServices,
  stale: 'report_deleted',
  emits: [reportDeleted],
  errors: {
    INVALID_INPUT: 'The report is filed.',
    NOT_AUTHOR: { kind: 'forbidden', meaning: 'The report belongs to another author, who is still a member.' },
    NOT_FOUND: 'The graph has no report with this id.',
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another request is writing the report.' },
  },

  async prepare({ input, ctx, use }) {
    await refuseOthersWork(ctx, use, input.report_id);
  },

  async handle({ input, ctx, use }) {
    await new ReportWriter(use).remove(workOf(ctx), input.report_id);
    ctx.emit(reportDeleted, { graph_id: ctx.graph.id, report_id: input.report_id });
    return { deleted: true };
  },
});
