import { calendarDate, defineOperation, model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import { PeriodSpec } from '../models/PeriodSpec.ts';
import { ReportResponse } from '../models/report.ts';
import {
  changeErrors,
  generationErrors,
  ReportWriter,
  refuseOthersWork,
  reportResponse,
  reportServices,
  workOf,
} from '../reports/index.ts';

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
    ...generationErrors,
    INVALID_INPUT: 'The report is filed, or its period or mapping is invalid.',
    ...changeErrors,
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
