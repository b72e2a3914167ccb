export { type RefreshServices, refreshStaleGraphs } from './refresh-stale-graphs.ts';
export { forgetRefresh } from './refresh-turns.ts';
export { type SettlementServices, settleEndedBuilds } from './settle-ended-builds.ts';
