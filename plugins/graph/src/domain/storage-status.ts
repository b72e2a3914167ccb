/** A part of what a graph takes on disk (graphs H-22). */
export interface StoredItem {
  readonly type: 'graph' | 'transient';
  readonly id: string;
  readonly bytes: number;
}

/** What a graph takes on disk; the durable bytes are those that limits count. */
export interface StoredBytes {
  readonly items: readonly StoredItem[];
  readonly durableBytes: number;
  readonly total_bytes: number;
}

/** From this share of a cap on it is close, in percent (platform T-5, graphs H-22). */
const approachingPercent = 80;

/** How full something is; caps of null or below zero are without limit. */
export function isApproaching(used: number, cap: number | null): boolean {
  return cap !== null && cap >= 0 && used * 100 >= cap * approachingPercent;
}

/** The word for how much of its storage a graph takes (graphs H-22). */
export function storageStatus(usedGb: number, capGb: number): 'approaching' | 'healthy' | 'over_limit' {
  if (usedGb > capGb) return 'over_limit';
  return isApproaching(usedGb, capGb) ? 'approaching' : 'healthy';
}
