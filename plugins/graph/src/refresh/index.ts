export { type RefreshServices, refreshStaleGraphs } from './refresh-stale-graphs.ts';
export { type SettlementServices, settleEndedBuilds } from './settle-ended-builds.ts';
