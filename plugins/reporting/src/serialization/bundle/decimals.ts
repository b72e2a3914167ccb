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

/** The exact decimal of a whole number of units of 10^-scale. */
export function decimalOf(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const text = scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
}

/** The exact sum, with as many digits after the point as the longest of the decimals. */
export function sumOfDecimals(decimals: readonly string[]): string {
  const scale = Math.max(0, ...decimals.map(scaleOf));
  return decimalOf(
    decimals.reduce((sum, decimal) => sum + decimalUnits(decimal, scale), 0n),
    scale,
  );
}
