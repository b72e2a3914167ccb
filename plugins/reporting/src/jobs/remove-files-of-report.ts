import { defineJob, kernel } from '@pacioli/core';
import reportDeleted from '../events/report-deleted.ts';
import { filesOfReport, ReportFiles } from '../serialization/downloads/index.ts';

export default defineJob({
  name: 'remove-files-of-report',
  summary: 'Removes the files of all generations of a deleted report.',
  on: reportDeleted,
  maxSeconds: 120,
  services: { files: kernel.fileStore },
  async handle({ payload, use }) {
    await new ReportFiles(use.files).removeAll(filesOfReport(payload.graph_id, payload.report_id));
  },
});
