/** A component of a graph’s disk usage (graphs H-22). */
export interface StoredItem {
  readonly type: 'graph' | 'subgraph' | 'staging' | 'transient';
  readonly id: string;
  readonly bytes: number;
}

/** The disk usage of a graph; limits count the durable bytes. */
export interface StoredBytes {
  readonly items: readonly StoredItem[];
  readonly durableBytes: number;
  readonly total_bytes: number;
}

/** The percentage of a cap from which usage is reported as approaching it (platform T-5, graphs H-22). */
const approachingPercent = 80;

/** True if usage approaches the cap; null or negative means unlimited. */
export function isApproaching(used: number, cap: number | null): boolean {
  return cap !== null && cap >= 0 && used * 100 >= cap * approachingPercent;
}

/** The storage status of a graph (graphs H-22). */
export function storageStatus(usedGb: number, capGb: number): 'approaching' | 'healthy' | 'over_limit' {
  if (usedGb > capGb) return 'over_limit';
  return isApproaching(usedGb, capGb) ? 'approaching' : 'healthy';
}
