/** An exact fraction; the denominator is positive. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new RangeError('The denominator of a fraction must not be 0.');
  return denominator < 0n ? { numerator: -numerator, denominator: -denominator } : { numerator, denominator };
}

/** The exact value of a decimal number or text such as 12.5, "0.30" or 1e-7; of a double, that of its shortest text. */
export function fromDecimal(value: number | string | bigint): Rational {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(String(value));
  if (match === null) throw new RangeError(`'${value}' is not a decimal number.`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const shift = Number(exponent) - fraction.length;
  return shift < 0 ? rational(digits, 10n ** BigInt(-shift)) : rational(digits * 10n ** BigInt(shift));
}

export function plus(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function times(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

/** Throws a RangeError when the divisor is 0. */
export function dividedBy(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** The greatest integer that is at most the fraction. */
export function floor({ numerator, denominator }: Rational): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
}

/** The nearest integer; a half is rounded to the even one. */
export function roundHalfEven(value: Rational): bigint {
  const below = floor(value);
  const twice = 2n * (value.numerator - below * value.denominator);
  const isUp = twice > value.denominator || (twice === value.denominator && below % 2n !== 0n);
  return isUp ? below + 1n : below;
}
