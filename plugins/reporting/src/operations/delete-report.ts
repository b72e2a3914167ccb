import { defineOperation, model, ServiceError } from '@pacioli/core';
import { Type } from 'typebox';
import { countActiveShares, investorDomain } from '../distribution/index.ts';
import reportDeleted from '../events/report-deleted.ts';
import { DeleteResult } from '../models/DeleteResult.ts';
import { ReportWriter, refuseOthersWork, reportServices, workOf } from '../reports/index.ts';

const DeleteReportOperation = model('DeleteReportOperation', { report_id: Type.String() });

export default defineOperation({
  name: 'delete-report',
  summary: 'Deletes an unfiled report, or a copy that another graph has shared, with its figures.',
  role: 'member',
  effect: 'destructive',
  domain: 'ledger',
  alternativeDomains: [investorDomain],
  openapi: { id: 'delete_report', tag: 'extensions_robo_ledger' },
  input: DeleteReportOperation,
  output: DeleteResult,
  mcp: { held: 'Deletes figures that people rely on.' },
  services: reportServices,
  stale: 'report_deleted',
  emits: [reportDeleted],
  errors: {
    INVALID_INPUT: 'The report is filed.',
    NOT_AUTHOR: { kind: 'forbidden', meaning: 'The report belongs to another author, who is still a member.' },
    REPORT_IS_COPY: {
      kind: 'forbidden',
      meaning: 'The report is a copy of another graph, which only an admin deletes.',
    },
    REPORT_IS_SHARED: { kind: 'conflict', meaning: 'Other graphs have copies of the report. Revoke the shares first.' },
    NOT_FOUND: 'The graph has no report with this id.',
    WRITE_CONFLICT: { kind: 'conflict', meaning: 'Another request is writing the report.' },
  },

  async prepare({ input, ctx, use }) {
    await refuseOthersWork(ctx, use, input.report_id);
  },

  async handle({ input, ctx, use }) {
    const active = await countActiveShares(ctx.tx, input.report_id);
    if (active > 0) throw hasShares(input.report_id, active);
    await new ReportWriter(use).remove(workOf(ctx), input.report_id);
    ctx.emit(reportDeleted, { graph_id: ctx.graph.id, report_id: input.report_id });
    return { deleted: true };
  },
});

function hasShares(reportId: string, count: number): ServiceError {
  const message = `Report '${reportId}' has ${count} active share(s). Revoke them first.`;
  return new ServiceError('conflict', 'REPORT_IS_SHARED', message);
}
