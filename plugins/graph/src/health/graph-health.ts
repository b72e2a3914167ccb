import { isApproaching } from '../usage/index.ts';
import type { DayOfQueries } from './query-counts.ts';

const hourMs = 3_600_000;
const maxStaleHours = 24;
/** The percentage of failed statements from which a graph is degraded (graphs H-1). */
const maxFailedPercent = 5;

export interface HealthFacts {
  readonly now: Date;
  readonly isReachable: boolean;
  readonly queries: DayOfQueries;
  readonly materializedAt: Date | null;
  readonly staleSince: Date | null;
  readonly staleReason: string | null;
  /** The durable bytes of the graph; undefined if they cannot be measured. */
  readonly storedGb: number | undefined;
  /** The storage of the tier; null if unlimited. */
  readonly maxGb: number | null;
  /** True if the last backup has failed. */
  readonly hasFailedBackup: boolean;
  /** Why the last build has failed; undefined if it has not. */
  readonly buildFailure: string | undefined;
}

export interface GraphHealth {
  readonly status: 'healthy' | 'degraded' | 'unhealthy';
  readonly alerts: string[];
  readonly errorRate: number;
  readonly hoursSinceMaterialization: number | null;
}

/** Judges the health of a graph (graphs H-1, H-3, H-4). */
export function graphHealth(facts: HealthFacts): GraphHealth {
  const { queries, staleSince, storedGb, maxGb, now } = facts;
  const errorRate = queries.statements === 0 ? 0 : (queries.failures / queries.statements) * 100;
  const staleHours = staleSince === null ? 0 : hoursSince(staleSince, now);
  const isFull = storedGb !== undefined && isApproaching(storedGb, maxGb);
  const degradations = [
    ...(errorRate >= maxFailedPercent
      ? [`${rounded(errorRate)} % of the statements of the last 24 hours timed out or failed in the engine.`]
      : []),
    ...(staleHours > maxStaleHours
      ? [`The graph is stale for ${rounded(staleHours)} hours. Run materialize to rebuild it.`]
      : []),
    ...(isFull ? [`The graph takes ${rounded(storedGb)} of ${maxGb} GB of storage.`] : []),
  ];
  // The graph serves what it had before, so these do not degrade it.
  const failures = [
    ...(facts.buildFailure === undefined ? [] : [`The last rebuild failed: ${facts.buildFailure}`]),
    ...(facts.hasFailedBackup ? ['The last backup failed. Take another one with create-backup.'] : []),
  ];
  const unreachable = facts.isReachable ? [] : ['The graph engine does not respond.'];
  return {
    status: !facts.isReachable ? 'unhealthy' : degradations.length > 0 ? 'degraded' : 'healthy',
    alerts: [...unreachable, ...degradations, ...failures],
    errorRate: rounded(errorRate),
    hoursSinceMaterialization: facts.materializedAt === null ? null : rounded(hoursSince(facts.materializedAt, now)),
  };
}

function hoursSince(then: Date, now: Date): number {
  return Math.max(0, now.getTime() - then.getTime()) / hourMs;
}

/** To one decimal. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
