import { type BookedPosting, weightOf } from './booked.ts';
import { absolute, add, type Decimal, divide, isZero, multiply, negate, signOf, subtract, zero } from './decimal.ts';
import { type Amount, type CostSpec, type IncompleteAmount, missing } from './directives.ts';
import type { CurrencyGroup } from './group-by-currency.ts';
import { roundInterpolated, type Tolerances } from './tolerances.ts';
import { BookingFailure, lotOf, type WorkingPosting } from './working-posting.ts';

type Gap = 'units' | 'cost per unit' | 'total cost' | 'price';

/** Infers the one missing number of a currency group from the others; a posting of zero is dropped. */
export function interpolateGroup(group: CurrencyGroup, tolerances: Tolerances): BookedPosting[] {
  const gaps = group.postings.flatMap((posting) => gapsOf(posting).map((gap) => ({ posting, gap })));
  const [only, second] = gaps;
  if (second !== undefined) {
    throw new BookingFailure(
      second.posting.source.line,
      `more than one number is missing among the postings in ${group.currency}; write all but one.`,
    );
  }
  if (only === undefined) return group.postings.map((posting) => finish(posting, false));
  const others = group.postings.filter((posting) => posting !== only.posting).map((posting) => finish(posting, false));
  const sum = others.reduce<Decimal>((total, posting) => add(total, weightOf(posting).number), zero);
  const filled = fillGap(only.posting, only.gap, negate(sum), tolerances);
  return group.postings.flatMap((posting) => {
    if (posting !== only.posting) return others.shift() ?? [];
    return filled === null ? [] : [finish(filled, true)];
  });
}

function gapsOf(posting: WorkingPosting): Gap[] {
  const gaps: Gap[] = [];
  if (posting.units.number === missing) gaps.push('units');
  if (posting.spec?.perUnit === missing) gaps.push('cost per unit');
  if (posting.spec?.total === missing) gaps.push('total cost');
  if (posting.price?.number === missing) gaps.push('price');
  return gaps;
}

function complete(amount: IncompleteAmount, line: number): Amount {
  if (amount.number === missing || amount.currency === missing) {
    throw new BookingFailure(line, 'an amount of this posting cannot be found; write its number and currency.');
  }
  return { number: amount.number, currency: amount.currency };
}

function finish(posting: WorkingPosting, isInterpolated: boolean): BookedPosting {
  const { line, account } = posting.source;
  const units = complete(posting.units, line);
  const cost = posting.spec === null ? posting.lot : lotOf(posting.spec, units.number, line);
  if (cost !== null && isZero(units.number)) throw new BookingFailure(line, 'zero units cannot have a cost.');
  if (cost !== null && signOf(cost.number) < 0) {
    throw new BookingFailure(line, 'a cost cannot be negative; put the sign on the units.');
  }
  return { line, account, units, cost, price: posting.price && complete(posting.price, line), isInterpolated };
}

function fillGap(posting: WorkingPosting, gap: Gap, weight: Decimal, tolerances: Tolerances): WorkingPosting | null {
  const { source, units, spec, price } = posting;
  if (gap === 'units') return fillUnits(posting, weight, tolerances);
  const { number } = complete(units, source.line);
  if (gap === 'price') {
    if (posting.lot !== null || spec !== null) {
      throw new BookingFailure(source.line, 'the price of units held at cost says nothing of their weight; write it.');
    }
    if (isZero(number)) throw new BookingFailure(source.line, 'zero units have no price; write the number of units.');
    return { ...posting, price: price && { ...price, number: absolute(divide(weight, number)) } };
  }
  if (spec === null || isZero(number)) return null;
  return { ...posting, spec: fillCost(spec, gap, weight, number) };
}

function fillCost(spec: CostSpec, gap: Gap, weight: Decimal, units: Decimal): CostSpec {
  if (gap === 'cost per unit') {
    const total = spec.total === missing || spec.total === null ? zero : spec.total;
    return { ...spec, perUnit: divide(subtract(weight, total), units) };
  }
  const perUnit = spec.perUnit === missing ? zero : spec.perUnit;
  return { ...spec, total: subtract(weight, multiply(perUnit, units)) };
}

function fillUnits(posting: WorkingPosting, weight: Decimal, tolerances: Tolerances): WorkingPosting | null {
  const { source, units, spec, price } = posting;
  if (isZero(weight)) return null;
  const found = findUnits(posting, weight);
  if (found === null) {
    const what = spec === null && price !== null ? 'a price of zero' : 'a total cost alone';
    throw new BookingFailure(source.line, `the units cannot be found from ${what}; write them.`);
  }
  const currency = units.currency;
  return {
    ...posting,
    units: { number: currency === missing ? found : roundInterpolated(found, currency, tolerances), currency },
  };
}

function findUnits(posting: WorkingPosting, weight: Decimal): Decimal | null {
  const { spec, price } = posting;
  if (spec !== null) {
    if (spec.perUnit === missing || isZero(spec.perUnit)) return null;
    const total = spec.total === missing || spec.total === null ? zero : spec.total;
    return divide(subtract(weight, total), spec.perUnit);
  }
  if (price === null) return weight;
  return price.number === missing || isZero(price.number) ? null : divide(weight, price.number);
}
