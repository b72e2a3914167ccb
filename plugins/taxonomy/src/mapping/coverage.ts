export interface CoveredAccount {
  readonly target_id: string | null;
  readonly confidence: number | null;
}

export interface Coverage {
  readonly total: number;
  readonly mapped: number;
  readonly unmapped: number;
  /** 0 to 100, not rounded. */
  readonly percent: number;
  readonly high: number;
  readonly medium: number;
  readonly low: number;
}

export type ConfidenceBand = 'high' | 'medium' | 'low' | 'none';

/** Taxonomy T-18: exactly 0.90 is high, and an arc without a confidence was made by a person. */
export function confidenceBand(confidence: number | null): ConfidenceBand {
  if (confidence === null) return 'none';
  if (confidence >= 0.9) return 'high';
  return confidence >= 0.7 ? 'medium' : 'low';
}

/** How much of a chart is mapped (taxonomy M-16). */
export function coverageOf(accounts: readonly CoveredAccount[]): Coverage {
  const mapped = accounts.filter(({ target_id }) => target_id !== null);
  const inBand = (band: ConfidenceBand) =>
    mapped.filter(({ confidence }) => confidenceBand(confidence) === band).length;
  return {
    total: accounts.length,
    mapped: mapped.length,
    unmapped: accounts.length - mapped.length,
    percent: accounts.length === 0 ? 0 : (mapped.length / accounts.length) * 100,
    high: inBand('high'),
    medium: inBand('medium'),
    low: inBand('low'),
  };
}

/**
 * Whether sums lead from a concept up to the root of a statement, through the graph's own extensions or without them
 * (taxonomy M-17).
 */
export function leadsToRoot(
  qname: string,
  totalsOf: ReadonlyMap<string, readonly string[]>,
  isReached: (qname: string) => boolean,
): boolean {
  const seen = new Set([qname]);
  // A set grows while it is walked: new totals are visited in the same loop.
  for (const name of seen) {
    if (isReached(name)) return true;
    for (const total of totalsOf.get(name) ?? []) seen.add(total);
  }
  return false;
}
