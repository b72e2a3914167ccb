/** The limits of a graph and its usage: storage, periods. */
export { graphLimits } from './graph-limits.ts';
export { measureGraphStorage } from './graph-storage.ts';
export { growthErrors, type LimitCheck, requireGrowth, requireStorage } from './growth-limits.ts';
export { growthOf } from './growth-of-graph.ts';
export { isApproaching, knownGigabytes } from './storage-status.ts';
export { daysOf, timeRange, usagePeriod } from './usage-period.ts';
export { WriteLimit, writeLimit } from './write-limit.ts';
