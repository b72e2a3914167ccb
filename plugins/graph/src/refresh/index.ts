/** Builds of stale graphs without a request, and the release of builds whose run has ended. */
export { type RefreshServices, refreshStaleGraphs } from './refresh-stale-graphs.ts';
export { type ReleaseServices, releaseEndedBuilds } from './release-ended-builds.ts';
export { forgetRefresh } from './stored-refreshes.ts';
