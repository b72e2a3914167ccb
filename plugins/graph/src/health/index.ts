/** The health of a graph: how its statements went, staleness and storage. */
export { buildOrNoteFailure, isOpenRun, lastBuildFailure, noteBuildFailure } from './build-failures.ts';
export { graphHealth } from './graph-health.ts';
export { forgetAccess } from './last-access.ts';
export { QueryCounts, queryCounts } from './query-counts.ts';
