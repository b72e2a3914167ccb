/** The number of digits after the point of an exact decimal. */
export function scaleOf(decimal: string): number {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
}

/** An exact decimal as a whole number of units of 10^-scale; the scale is at least that of the decimal. */
export function decimalUnits(decimal: string, scale: number): bigint {
  const digits = decimal.replace('.', '');
  return BigInt(digits) * 10n ** BigInt(scale - scaleOf(decimal));
}
