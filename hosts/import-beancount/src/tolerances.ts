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

/** The largest amount by which a transaction may fail to balance, by currency. */
export interface Tolerances {
  readonly byCurrency: ReadonlyMap<string, Decimal>;
  /** The tolerance of every other currency. */
  readonly fallback: Decimal;
}

/** The numbers of a posting as written; their fractional digits determine the tolerances. */
export interface WrittenNumbers {
  readonly units: { readonly number: Decimal; readonly currency: string };
  /** The numbers of a cost are its total, its amount per unit, or both. */
  readonly cost: { readonly numbers: readonly Decimal[]; readonly currency: string } | null;
  readonly price: { readonly number: Decimal; readonly currency: string } | null;
}

/** The most that the cost or the price of one posting adds to the tolerance of its currency. */
const maxCostTolerance = parseDecimal('0.5');
/** A unit of rounding with more significant digits results from a cost or a price and is not a precision. */
const maxQuantumDigits = 4;

/**
 * Infers the tolerances of a transaction as Beancount does. Each number of units with fractional digits implies the
 * multiplier (by default one half) times a unit of its last digit; the largest in a currency applies. If the journal
 * requests it, each posting also implies that tolerance times its cost or price, and these are summed by currency. The
 * defaults of the journal are lower bounds.
 */
export function inferTolerances(postings: readonly WrittenNumbers[], options: BookingOptions): Tolerances {
  const byCurrency = new Map(options.toleranceDefaults);
  const costTolerances = new Map<string, Decimal>();
  const addCostTolerance = (currency: string, tolerance: Decimal): void => {
    costTolerances.set(currency, add(costTolerances.get(currency) ?? zero, tolerance));
  };
  for (const { units, cost, price } of postings) {
    if (units.number.scale <= 0) continue;
    const tolerance = multiply(unitOfScale(units.number.scale), options.toleranceMultiplier);
    keepLargest(byCurrency, units.currency, tolerance);
    if (!options.inferToleranceFromCost) continue;
    if (cost !== null) {
      const products = cost.numbers.map((number) => multiply(tolerance, number));
      addCostTolerance(cost.currency, products.reduce(minimum, maxCostTolerance));
    }
    if (price !== null) addCostTolerance(price.currency, minimum(multiply(tolerance, price.number), maxCostTolerance));
  }
  for (const [currency, tolerance] of costTolerances) keepLargest(byCurrency, currency, tolerance);
  const fallback = byCurrency.get('*') ?? zero;
  byCurrency.delete('*');
  return { byCurrency, fallback };
}

function keepLargest(byCurrency: Map<string, Decimal>, currency: string, tolerance: Decimal): void {
  const before = byCurrency.get(currency);
  byCurrency.set(currency, before === undefined ? tolerance : maximum(before, tolerance));
}

export function toleranceOf(tolerances: Tolerances, currency: string): Decimal {
  return tolerances.byCurrency.get(currency) ?? tolerances.fallback;
}

/**
 * Rounds interpolated units to multiples of twice the tolerance: with the default multiplier, to the precision of the
 * units written in the same currency. Does not round if the currency has no tolerance.
 */
export function roundInterpolated(number: Decimal, currency: string, tolerances: Tolerances): Decimal {
  const tolerance = toleranceOf(tolerances, currency);
  const { number: quantum, digits } = normalize(add(tolerance, tolerance));
  if (quantum.value.eq(0) || digits > maxQuantumDigits) return number;
  return quantize(number, quantum.scale);
}
