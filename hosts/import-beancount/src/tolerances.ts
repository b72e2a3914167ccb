import {
  add,
  type Decimal,
  maximum,
  minimum,
  multiply,
  normalize,
  parseDecimal,
  quantize,
  unitOfScale,
  zero,
} from './decimal.ts';
import type { BookingOptions } from './journal-options.ts';

/** The largest allowed imbalance of a transaction, by currency. */
export interface Tolerances {
  readonly byCurrency: ReadonlyMap<string, Decimal>;
  readonly fallback: Decimal;
}

/** The written numbers of a posting, from which its precision is inferred. */
export interface PrecisionHint {
  readonly units: { readonly number: Decimal; readonly currency: string };
  readonly cost: { readonly numbers: readonly Decimal[]; readonly currency: string } | null;
  readonly price: { readonly number: Decimal; readonly currency: string } | null;
}

/** A cost or a price widens the tolerance by at most this much for each posting, however coarse the units. */
const costToleranceMax = parseDecimal('0.5');
/** A tolerance with more digits was computed, not written, and is not used for rounding. */
const maxMeantDigits = 4;

/** Infers tolerances from the written numbers: half a unit of the last digit, the widest of each currency. */
export function inferTolerances(hints: readonly PrecisionHint[], options: BookingOptions): Tolerances {
  const byCurrency = new Map(options.toleranceDefaults);
  const fromCosts = new Map<string, Decimal>();
  const addFromCost = (currency: string, tolerance: Decimal): void => {
    fromCosts.set(currency, add(fromCosts.get(currency) ?? zero, tolerance));
  };
  for (const { units, cost, price } of hints) {
    if (units.number.scale <= 0) continue;
    const tolerance = multiply(unitOfScale(units.number.scale), options.toleranceMultiplier);
    widen(byCurrency, units.currency, tolerance);
    if (!options.inferToleranceFromCost) continue;
    if (cost !== null) {
      const widths = cost.numbers.map((number) => multiply(tolerance, number));
      addFromCost(cost.currency, widths.reduce(minimum, costToleranceMax));
    }
    if (price !== null) addFromCost(price.currency, minimum(multiply(tolerance, price.number), costToleranceMax));
  }
  for (const [currency, tolerance] of fromCosts) widen(byCurrency, currency, tolerance);
  const fallback = byCurrency.get('*') ?? zero;
  byCurrency.delete('*');
  return { byCurrency, fallback };
}

function widen(byCurrency: Map<string, Decimal>, currency: string, tolerance: Decimal): void {
  const before = byCurrency.get(currency);
  byCurrency.set(currency, before === undefined ? tolerance : maximum(before, tolerance));
}

export function toleranceOf(tolerances: Tolerances, currency: string): Decimal {
  return tolerances.byCurrency.get(currency) ?? tolerances.fallback;
}

/** Rounds an inferred number to the precision of the written amounts in its currency. */
export function roundFound(number: Decimal, currency: string, tolerances: Tolerances): Decimal {
  const tolerance = toleranceOf(tolerances, currency);
  const { number: quantum, digits } = normalize(add(tolerance, tolerance));
  if (quantum.value.eq(0) || digits > maxMeantDigits) return number;
  return quantize(number, quantum.scale);
}
