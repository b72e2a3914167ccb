import { defineQuery, model, nullable } from '@pacioli/core';
import { library, taxonomyReads } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { Report } from '../models/report.ts';
import { readShownReport } from '../reports/index.ts';

export default defineQuery({
  name: 'report',
  summary: 'One report without its figures; null if the graph has no such report.',
  args: model('ReportArgs', { report_id: Type.String() }),
  returns: nullable(Report),
  services: { library, taxonomyReads },
  resolve: ({ args, ctx, use }) => readShownReport(ctx.tx, use, args.report_id),
});
