import { groupedBy, sumOfCents } from '../values/index.ts';
import { convertedCents } from './exchange-rates.ts';

/** The amounts of a position, in hundredths of its currency. */
export interface ValuedPosition {
  readonly currency: string;
  readonly cost_basis: number;
  readonly current_value: number | null;
}

/** Totals in one currency. */
export interface Totals {
  readonly costBasis: bigint;
  /** Over the positions that have a mark; null when none of them has one. */
  readonly currentValue: bigint | null;
  /** Positions without a rate, which are not in the totals. */
  readonly omitted: readonly OmittedPositions[];
}

export interface OmittedPositions {
  readonly currency: string;
  readonly count: number;
  readonly costBasis: bigint;
  readonly currentValue: bigint | null;
}

/**
 * Adds positions in a currency. Positions in another one are added per currency and converted once, or left out when it
 * has no rate: they are never added as if the currencies were equal.
 */
export function totalsOf(
  positions: readonly ValuedPosition[],
  { currency, rates }: { readonly currency: string; readonly rates: ReadonlyMap<string, string> },
): Totals {
  const omitted: OmittedPositions[] = [];
  let costBasis = 0n;
  let currentValue: bigint | null = null;
  for (const [each, group] of groupedBy(positions, (position) => position.currency)) {
    const cost = sumOfCents(group.map((position) => position.cost_basis));
    const marks = group.flatMap((position) => position.current_value ?? []);
    const value = marks.length === 0 ? null : sumOfCents(marks);
    const rate = each === currency ? '1' : rates.get(each);
    if (rate === undefined) {
      omitted.push({ currency: each, count: group.length, costBasis: cost, currentValue: value });
      continue;
    }
    costBasis += convertedCents(cost, rate);
    if (value !== null) currentValue = (currentValue ?? 0n) + convertedCents(value, rate);
  }
  return { costBasis, currentValue, omitted };
}
