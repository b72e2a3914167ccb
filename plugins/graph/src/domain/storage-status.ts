/** A part of what a graph takes on disk (graphs H-22). */
export interface StoredItem {
  readonly type: 'graph' | 'transient';
  readonly id: string;
  readonly bytes: number;
}

/** What a graph takes on disk; the durable bytes are those that limits count. */
export interface StoredBytes {
  readonly items: readonly StoredItem[];
  readonly durable_bytes: number;
  readonly total_bytes: number;
}

/** From this share of a cap on it is close, in percent (platform T-5, graphs H-22). */
const approaching_percent = 80;

/** How full something is; caps of null or below zero are without limit. */
export function isApproaching(used: number, cap: number | null): boolean {
  return cap !== null && cap >= 0 && used * 100 >= cap * approaching_percent;
}

/** The word for how much of its storage a graph takes (graphs H-22). */
export function storageStatus(used_gb: number, cap_gb: number): 'approaching' | 'healthy' | 'over_limit' {
  if (used_gb > cap_gb) return 'over_limit';
  return isApproaching(used_gb, cap_gb) ? 'approaching' : 'healthy';
}
