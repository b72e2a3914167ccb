import { decimalUnits, scaleOf } from '../bundle/index.ts';

/** The unit that amounts of money are shown in. */
export interface AmountUnit {
  /** The power of ten. */
  readonly digits: 0 | 3 | 6;
  /** Before the currency, such as `thousands of `. */
  readonly prefix: string;
}

/** Larger amounts are shown in thousands, and those beyond a thousand times as much in millions. */
const maxShownUnits = 10_000_000n;

/** The unit for the largest of exact decimals (reporting G-7a). */
export function unitFor(values: Iterable<string>): AmountUnit {
  let largest = 0n;
  for (const value of values) {
    const whole = decimalUnits(value, scaleOf(value)) / 10n ** BigInt(scaleOf(value));
    const size = whole < 0n ? -whole : whole;
    if (size > largest) largest = size;
  }
  if (largest >= maxShownUnits * 1000n) return { digits: 6, prefix: 'millions of ' };
  return largest >= maxShownUnits ? { digits: 3, prefix: 'thousands of ' } : { digits: 0, prefix: '' };
}

/**
 * An exact decimal for people: commas between thousands, negative numbers in parentheses. In thousands or millions it is
 * rounded half away from zero to a whole number.
 */
export function amountText(value: string, { digits }: AmountUnit): string {
  const rounded = digits === 0 ? value : roundedTo(value, digits);
  const isNegative = rounded.startsWith('-');
  const [whole = '', fraction] = (isNegative ? rounded.slice(1) : rounded).split('.');
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const text = fraction === undefined ? grouped : `${grouped}.${fraction}`;
  return isNegative ? `(${text})` : text;
}

function roundedTo(value: string, digits: number): string {
  const scale = scaleOf(value);
  const units = decimalUnits(value, scale);
  const divisor = 10n ** BigInt(scale + digits);
  const size = ((units < 0n ? -units : units) + divisor / 2n) / divisor;
  return units < 0n && size > 0n ? `-${size}` : String(size);
}
