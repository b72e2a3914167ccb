// Written by `npm run gen`. Do not edit.
import type { PluginParts } from './define/plugin.ts';
import addExtension from './operations/add-extension.ts';
import createGraph from './operations/create-graph.ts';
import updateGraphMetadata from './operations/update-graph-metadata.ts';
import hello from './queries/hello.ts';
import addGraphMember from './routes/add-graph-member.ts';
import cancelOperation from './routes/cancel-operation.ts';
import getAvailableExtensions from './routes/get-available-extensions.ts';
import getAvailableGraphTiers from './routes/get-available-graph-tiers.ts';
import getCreditSummary from './routes/get-credit-summary.ts';
import getDownload from './routes/get-download.ts';
import getGraphCapacity from './routes/get-graph-capacity.ts';
import getGraphs from './routes/get-graphs.ts';
import getLiveness from './routes/get-liveness.ts';
import getMetrics from './routes/get-metrics.ts';
import getOperationStatus from './routes/get-operation-status.ts';
import getOrgUsage from './routes/get-org-usage.ts';
import getReadiness from './routes/get-readiness.ts';
import getServiceOfferings from './routes/get-service-offerings.ts';
import getServiceStatus from './routes/get-service-status.ts';
import listCreditTransactions from './routes/list-credit-transactions.ts';
import listGraphMembers from './routes/list-graph-members.ts';
import putUpload from './routes/put-upload.ts';
import removeGraphMember from './routes/remove-graph-member.ts';
import resumeOperation from './routes/resume-operation.ts';
import selectGraph from './routes/select-graph.ts';
import streamOperationEvents from './routes/stream-operation-events.ts';
import updateGraphMemberRole from './routes/update-graph-member-role.ts';
import getGraphqlSchema from './tools/get-graphql-schema.ts';
import queryGraphql from './tools/query-graphql.ts';
import cancelOrphanedRuns from './jobs/cancel-orphaned-runs.ts';
import checkCreditBalances from './jobs/check-credit-balances.ts';
import releaseUnsettledCredits from './jobs/release-unsettled-credits.ts';
import removeExpired from './jobs/remove-expired.ts';
import removeGraphs from './jobs/remove-graphs.ts';
import sealAudit from './jobs/seal-audit.ts';
import turnCreditPeriods from './jobs/turn-credit-periods.ts';
import creditsThresholdEvent from './events/credits-threshold.ts';
import graphCreatedEvent from './events/graph-created.ts';
import graphMemberChangedEvent from './events/graph-member-changed.ts';
import graphRemovedEvent from './events/graph-removed.ts';
import orgMemberAddedEvent from './events/org-member-added.ts';
import orgMemberRemovedEvent from './events/org-member-removed.ts';
import userDeactivatedEvent from './events/user-deactivated.ts';
import userRegisteredEvent from './events/user-registered.ts';

export const all = {
  operations: [addExtension, createGraph, updateGraphMetadata],
  queries: [hello],
  routes: [addGraphMember, cancelOperation, getAvailableExtensions, getAvailableGraphTiers, getCreditSummary, getDownload, getGraphCapacity, getGraphs, getLiveness, getMetrics, getOperationStatus, getOrgUsage, getReadiness, getServiceOfferings, getServiceStatus, listCreditTransactions, listGraphMembers, putUpload, removeGraphMember, resumeOperation, selectGraph, streamOperationEvents, updateGraphMemberRole],
  tools: [getGraphqlSchema, queryGraphql],
  jobs: [cancelOrphanedRuns, checkCreditBalances, releaseUnsettledCredits, removeExpired, removeGraphs, sealAudit, turnCreditPeriods],
  events: [creditsThresholdEvent, graphCreatedEvent, graphMemberChangedEvent, graphRemovedEvent, orgMemberAddedEvent, orgMemberRemovedEvent, userDeactivatedEvent, userRegisteredEvent],
} as const satisfies PluginParts;
