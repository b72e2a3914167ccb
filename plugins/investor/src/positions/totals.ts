import { groupBy } from '@pacioli/taxonomy/expressions';
import { sumOfCents } from '../values/index.ts';
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
  readonly omitted: readonly CurrencySums[];
}

/** The sums of positions in one currency, in hundredths of it. */
export interface CurrencySums {
  readonly currency: string;
  readonly count: number;
  readonly costBasis: bigint;
  /** Over the positions that have a mark; null when none of them has one. */
  readonly currentValue: bigint | null;
}

/** The currency of totals, and the units of it for one unit of each other currency, as exact decimal text. */
interface TotalsRule {
  readonly currency: string;
  readonly rates: ReadonlyMap<string, string>;
}

/**
 * Adds positions in a currency. Positions in another one are added per currency and converted once, or left out when it
 * has no rate: they are never added as if the currencies were equal.
 */
export function totalsOf(positions: readonly ValuedPosition[], rule: TotalsRule): Totals {
  const sums = [...groupBy(positions, ({ currency }) => currency)].map(([currency, group]) => {
    const marks = group.flatMap((position) => position.current_value ?? []);
    return {
      currency,
      count: group.length,
      costBasis: sumOfCents(group.map((position) => position.cost_basis)),
      currentValue: marks.length === 0 ? null : sumOfCents(marks),
    };
  });
  return totalsOfSums(sums, rule);
}

/** The totals of positions that are added by currency already; each currency stands once. */
export function totalsOfSums(sums: readonly CurrencySums[], { currency, rates }: TotalsRule): Totals {
  const omitted: CurrencySums[] = [];
  let costBasis = 0n;
  let currentValue: bigint | null = null;
  for (const each of sums) {
    const isForeign = each.currency !== currency;
    const rate = isForeign ? rates.get(each.currency) : '1';
    if (rate === undefined) {
      omitted.push(each);
      continue;
    }
    const converted = (cents: bigint): bigint => (isForeign ? convertedCents(cents, rate) : cents);
    costBasis += converted(each.costBasis);
    if (each.currentValue !== null) currentValue = (currentValue ?? 0n) + converted(each.currentValue);
  }
  return { costBasis, currentValue, omitted };
}
