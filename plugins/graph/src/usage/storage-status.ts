import { gigabytes } from '@pacioli/core';

/** A component of a graph’s disk usage (graphs H-22). */
export interface StoredItem {
  readonly type: 'graph' | 'subgraph' | 'staging' | 'transient';
  readonly id: string;
  readonly bytes: number;
}

/** The disk usage of a graph; limits count the durable bytes. Null where the engine does not report its part. */
export interface StoredBytes {
  readonly items: readonly StoredItem[];
  readonly durableBytes: number | null;
  readonly total_bytes: number | null;
}

/** The percentage of a cap from which usage is reported as approaching it (platform T-5, graphs H-22). */
const approachingPercent = 80;

/** Gigabytes of a measured number of bytes; null stays unknown. */
export const knownGigabytes = (bytes: number | null): number | null => (bytes === null ? null : gigabytes(bytes));

/** True if usage approaches the cap; a cap that is null or negative means unlimited, unknown usage does not count. */
export function isApproaching(used: number | null, cap: number | null): boolean {
  return used !== null && cap !== null && cap >= 0 && used * 100 >= cap * approachingPercent;
}

/** The storage status of a graph (graphs H-22). */
export function storageStatus(
  usedGb: number | null,
  capGb: number,
): 'approaching' | 'healthy' | 'over_limit' | 'unknown' {
  if (usedGb === null) return 'unknown';
  if (usedGb > capGb) return 'over_limit';
  return isApproaching(usedGb, capGb) ? 'approaching' : 'healthy';
}
