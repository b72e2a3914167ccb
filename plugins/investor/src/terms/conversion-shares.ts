import { dividedBy, floor, fromDecimal, plus, type Rational, rational, times } from '../values/index.ts';
import { accruedInterestCents } from './accrued-interest.ts';
import type { JsonSchema } from './definitions.ts';
import { statedCount, statedNumber } from './stated-values.ts';

/** The financing in which a note or SAFE converts. */
export interface ConversionRound {
  /** YYYY-MM-DD; the interest of a note runs until then. */
  readonly date: string;
  /** The price of a new share in cents, as a decimal text, such as "123.4567". */
  readonly pricePerShareCents: string;
  /**
   * The fully diluted shares before the round, without those of this instrument. For a post-money cap they include the
   * shares into which other notes and SAFEs convert.
   */
  readonly fullyDilutedShares: bigint;
}

/**
 * The whole shares that a SAFE or a note with its interest converts into, at the lowest of the round's price, the
 * discounted price and the price of the valuation cap (investor 4). A post-money cap is divided by the fully diluted
 * shares with those of the instrument, a pre-money cap by those before the round; the cap of a SAFE is post-money and
 * that of a note pre-money unless stated. A stated `accrued_interest_cents` replaces computed interest. Undefined for
 * terms without an amount. Throws a RangeError when no price is above 0, or when a post-money cap is not above the
 * amount, because the instrument would own the company.
 */
export function conversionShares(terms: JsonSchema, round: ConversionRound): bigint | undefined {
  const purchase = statedCount(terms, 'purchase_amount_cents');
  const amount = purchase ?? noteAmount(terms, round.date);
  if (amount === undefined) return undefined;
  const isPostMoney =
    (terms['valuation_cap_type'] ?? (purchase === undefined ? 'pre_money' : 'post_money')) === 'post_money';
  const price = fromDecimal(round.pricePerShareCents);
  const cap = statedCount(terms, 'valuation_cap_cents');
  const prices = [
    price,
    discounted(price, statedNumber(terms, 'discount_pct') ?? 0),
    ...(cap === undefined ? [] : [capPrice({ cap, amount, shares: round.fullyDilutedShares, isPostMoney })]),
  ];
  return floor(dividedBy(rational(amount), lowest(prices)));
}

function noteAmount(terms: JsonSchema, date: string): bigint | undefined {
  const principal = statedCount(terms, 'principal_cents');
  if (principal === undefined) return undefined;
  return principal + (statedCount(terms, 'accrued_interest_cents') ?? accruedInterestCents(terms, date) ?? 0n);
}

function discounted(price: Rational, percent: number): Rational {
  const rest = plus(rational(100n), times(rational(-1n), fromDecimal(percent)));
  return times(price, dividedBy(rest, rational(100n)));
}

/**
 * With a post-money cap, amount / price shares are part of the count by which the cap is divided, so that
 * price = cap / (shares + amount / price), or price = (cap − amount) / shares.
 */
function capPrice(capped: {
  readonly cap: bigint;
  readonly amount: bigint;
  readonly shares: bigint;
  readonly isPostMoney: boolean;
}): Rational {
  const { cap, amount, shares, isPostMoney } = capped;
  if (shares <= 0n) throw new RangeError('A valuation cap requires fully diluted shares above 0.');
  if (isPostMoney && cap <= amount)
    throw new RangeError('A post-money valuation cap must be above the amount that converts.');
  return rational(isPostMoney ? cap - amount : cap, shares);
}

function lowest(prices: readonly Rational[]): Rational {
  const least = prices.reduce((low, each) =>
    each.numerator * low.denominator < low.numerator * each.denominator ? each : low,
  );
  if (least.numerator <= 0n) throw new RangeError('The price of a share must be above 0.');
  return least;
}
