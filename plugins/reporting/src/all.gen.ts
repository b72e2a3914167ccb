// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import addPublishListMembers from './operations/add-publish-list-members.ts';
import assertMetrics from './operations/assert-metrics.ts';
import blockSourceGraph from './operations/block-source-graph.ts';
import computeForecast from './operations/compute-forecast.ts';
import computeMetrics from './operations/compute-metrics.ts';
import createPublishList from './operations/create-publish-list.ts';
import createReport from './operations/create-report.ts';
import deletePublishList from './operations/delete-publish-list.ts';
import deleteReport from './operations/delete-report.ts';
import fileReport from './operations/file-report.ts';
import regenerateReport from './operations/regenerate-report.ts';
import removePublishListMember from './operations/remove-publish-list-member.ts';
import revokeReportShare from './operations/revoke-report-share.ts';
import shareReport from './operations/share-report.ts';
import transitionFilingStatus from './operations/transition-filing-status.ts';
import unblockSourceGraph from './operations/unblock-source-graph.ts';
import updatePublishList from './operations/update-publish-list.ts';
import updateShareSettings from './operations/update-share-settings.ts';
import buildFactGrid from './views/build-fact-grid.ts';
import disclosures from './views/disclosures.ts';
import financialStatementAnalysis from './views/financial-statement-analysis.ts';
import informationBlock from './views/information-block.ts';
import liveFinancialStatement from './views/live-financial-statement.ts';
import blockedSourceGraphs from './queries/blockedSourceGraphs.ts';
import publishList from './queries/publishList.ts';
import publishLists from './queries/publishLists.ts';
import report from './queries/report.ts';
import reportDownloadUrl from './queries/reportDownloadUrl.ts';
import reportPackage from './queries/reportPackage.ts';
import reports from './queries/reports.ts';
import statement from './queries/statement.ts';
import downloadReport from './routes/download-report.ts';
import completeShares from './jobs/complete-shares.ts';
import removeFilesOfReport from './jobs/remove-files-of-report.ts';
import reportDeletedEvent from './events/report-deleted.ts';
import reportCommand from './commands/report.ts';
import { ENTITY_HAS_REPORT } from './analytical/ENTITY_HAS_REPORT.ts';
import { REPORT_HAS_FACT } from './analytical/REPORT_HAS_FACT.ts';
import { REPORT_HAS_FACT_SET } from './analytical/REPORT_HAS_FACT_SET.ts';
import { REPORT_USES_TAXONOMY } from './analytical/REPORT_USES_TAXONOMY.ts';
import { Report } from './analytical/Report.ts';

export const all = {
  operations: [addPublishListMembers, assertMetrics, blockSourceGraph, computeForecast, computeMetrics, createPublishList, createReport, deletePublishList, deleteReport, fileReport, regenerateReport, removePublishListMember, revokeReportShare, shareReport, transitionFilingStatus, unblockSourceGraph, updatePublishList, updateShareSettings],
  views: [buildFactGrid, disclosures, financialStatementAnalysis, informationBlock, liveFinancialStatement],
  queries: [blockedSourceGraphs, publishList, publishLists, report, reportDownloadUrl, reportPackage, reports, statement],
  routes: [downloadReport],
  jobs: [completeShares, removeFilesOfReport],
  events: [reportDeletedEvent],
  commands: [reportCommand],
  nodes: [Report],
  relationships: [ENTITY_HAS_REPORT, REPORT_HAS_FACT, REPORT_HAS_FACT_SET, REPORT_USES_TAXONOMY],
} as const satisfies PluginParts;
