import { defineQuery, model, nullable } from '@pacioli/core';
import { library, taxonomyReads } from '@pacioli/taxonomy';
import { Type } from 'typebox';
import { Report } from '../models/report.ts';
import { readShownReports } from '../reports/index.ts';

export default defineQuery({
  name: 'reports',
  summary: 'The newest 500 reports without their figures, newest first.',
  returns: nullable(model('ReportList', { reports: Type.Array(Report) })),
  mcp: { tool: 'list-reports', hint: 'Look here for the id of a report.' },
  services: { library, taxonomyReads },
  cost: { points: 100 },
  async resolve({ ctx, use }) {
    return { reports: await readShownReports(ctx.tx, use) };
  },
});
