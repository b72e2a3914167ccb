// The only file that imports big.js. A decimal carries the number of fractional digits with which it was written,
// because Beancount infers its tolerance from them ("1.00" is exact to the cent, "1" is not) and big.js drops trailing
// zeros.
import Big from 'big.js';

/** An exact decimal number and its scale: the number of significant fractional digits (negative for tens and more). */
export interface Decimal {
  readonly value: Big;
  readonly scale: number;
}

/** Beancount computes with 28 significant digits, half-even; longer results must be rounded the same way. */
const precisionDigits = 28;
const quotientFractionDigits = 80;
const halfEven = 2;

// A separate constructor, so that the settings of other users of big.js do not change.
const DecimalNumber = Big();
DecimalNumber.DP = quotientFractionDigits;
DecimalNumber.RM = halfEven;

export const zero: Decimal = { value: new DecimalNumber(0), scale: 0 };

function fit(value: Big, scale: number): Decimal {
  if (value.c.length <= precisionDigits) return { value, scale };
  const cut = value.prec(precisionDigits, halfEven);
  return { value: cut, scale: Math.min(scale, precisionDigits - 1 - cut.e) };
}

/** The fewest fractional digits that represent the value: 2 for 1.25, 0 for 7, -1 for 20. */
function naturalScale(value: Big): number {
  return value.eq(0) ? 0 : value.c.length - 1 - value.e;
}

/** Parses digits with an optional point; commas must be removed before. Throws on anything else. */
export function parseDecimal(text: string): Decimal {
  const point = text.indexOf('.');
  const plain = text.endsWith('.') ? text.slice(0, -1) : text;
  return { value: new DecimalNumber(plain), scale: point === -1 ? 0 : text.length - point - 1 };
}

export function add(left: Decimal, right: Decimal): Decimal {
  return fit(left.value.plus(right.value), Math.max(left.scale, right.scale));
}

export function subtract(left: Decimal, right: Decimal): Decimal {
  return add(left, negate(right));
}

export function multiply(left: Decimal, right: Decimal): Decimal {
  return fit(left.value.times(right.value), left.scale + right.scale);
}

/** Returns the quotient to 28 significant digits. The divisor must not be zero. */
export function divide(left: Decimal, right: Decimal): Decimal {
  const ideal = left.scale - right.scale;
  if (left.value.eq(0)) return { value: left.value, scale: ideal };
  const { value } = fit(left.value.div(right.value), 0);
  return { value, scale: Math.max(ideal, naturalScale(value)) };
}

export function negate(number: Decimal): Decimal {
  // big.js has a negative zero, which would print as "-0".
  return isZero(number) ? number : { value: number.value.neg(), scale: number.scale };
}

export function absolute(number: Decimal): Decimal {
  return { value: number.value.abs(), scale: number.scale };
}

export function isZero(number: Decimal): boolean {
  return number.value.eq(0);
}

/** Returns -1, 0 or 1; a zero written with a minus sign is 0. */
export function signOf(number: Decimal): -1 | 0 | 1 {
  return isZero(number) ? 0 : number.value.s < 0 ? -1 : 1;
}

export function compare(left: Decimal, right: Decimal): -1 | 0 | 1 {
  return left.value.cmp(right.value);
}

export function equals(left: Decimal, right: Decimal): boolean {
  return left.value.eq(right.value);
}

export function minimum(left: Decimal, right: Decimal): Decimal {
  return compare(left, right) <= 0 ? left : right;
}

export function maximum(left: Decimal, right: Decimal): Decimal {
  return compare(left, right) >= 0 ? left : right;
}

/** One unit of the last digit of a number with this scale: 0.01 for 2. */
export function unitOfScale(scale: number): Decimal {
  return { value: new DecimalNumber(`1e${-scale}`), scale };
}

/** Rounds half-even to a number of fractional digits (negative: to tens, hundreds). */
export function quantize(number: Decimal, scale: number): Decimal {
  return { value: number.value.round(scale, halfEven), scale };
}

/** Returns the value with the fewest digits, and the number of those digits. */
export function normalize(number: Decimal): { readonly number: Decimal; readonly digits: number } {
  return { number: { value: number.value, scale: naturalScale(number.value) }, digits: number.value.c.length };
}

/** Returns the value in minor units of the currency, rounded half-even. */
export function toMinorUnits(number: Decimal, minorDigits: number): bigint {
  const shifted = number.value.times(new DecimalNumber(`1e${minorDigits}`));
  return BigInt(shifted.round(0, halfEven).toFixed(0));
}

/** Formats with the written scale; equal values of one scale have equal texts. */
export function formatDecimal(number: Decimal): string {
  return number.scale > 0 ? number.value.toFixed(Math.max(number.scale, naturalScale(number.value))) : plain(number);
}

/** Formats without trailing zeros; equal values have equal texts whatever their scale. */
export function plain(number: Decimal): string {
  return number.value.eq(0) ? '0' : number.value.toFixed();
}
