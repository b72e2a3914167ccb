// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import assertMetrics from './operations/assert-metrics.ts';
import computeForecast from './operations/compute-forecast.ts';
import computeMetrics from './operations/compute-metrics.ts';
import createReport from './operations/create-report.ts';
import deleteReport from './operations/delete-report.ts';
import fileReport from './operations/file-report.ts';
import regenerateReport from './operations/regenerate-report.ts';
import transitionFilingStatus from './operations/transition-filing-status.ts';
import liveFinancialStatement from './views/live-financial-statement.ts';
import report from './queries/report.ts';
import reportDownloadUrl from './queries/reportDownloadUrl.ts';
import reportPackage from './queries/reportPackage.ts';
import reports from './queries/reports.ts';
import statement from './queries/statement.ts';
import downloadReport from './routes/download-report.ts';
import removeFilesOfReport from './jobs/remove-files-of-report.ts';
import reportDeletedEvent from './events/report-deleted.ts';

export const all = {
  operations: [assertMetrics, computeForecast, computeMetrics, createReport, deleteReport, fileReport, regenerateReport, transitionFilingStatus],
  views: [liveFinancialStatement],
  queries: [report, reportDownloadUrl, reportPackage, reports, statement],
  routes: [downloadReport],
  jobs: [removeFilesOfReport],
  events: [reportDeletedEvent],
} as const satisfies PluginParts;
