import { defineEvent, model } from '@pacioli/core';
import { Type } from 'typebox';

/** An unfiled report was deleted; its files can be removed (P-15). */
export default defineEvent(
  'reporting.report-deleted',
  model('ReportDeleted', { graph_id: Type.String(), report_id: Type.String() }),
);
