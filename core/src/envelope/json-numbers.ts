/** The strings and numbers of a JSON text; strings are matched so that digits in them are not read as numbers. */
const textsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Numbers of up to fifteen digits within the range of a double keep them all. */
const mayLoseDigits = /[\d.]{16}|\d[eE][+-]?\d{3}/;

/** Decimals of more digits are not compared. */
const maxDigits = 100;

/** True if the text may have a number that a double does not keep; digits in strings count, too. */
export function mayHaveInexact(text: string): boolean {
  return mayLoseDigits.test(text);
}

/** Replaces numbers of a valid JSON text; undefined keeps one. */
export function replaceNumbers(text: string, replacement: (literal: string) => string | undefined): string {
  return text.replaceAll(textsAndNumbers, (token) => (token.startsWith('"') ? token : (replacement(token) ?? token)));
}

/** True for a whole number beyond ±(2^53−1) within the range of a double. */
export function isLongInteger(literal: string): boolean {
  const double = Number(literal);
  return /^-?\d{16,}$/.test(literal) && Number.isFinite(double) && !Number.isSafeInteger(double);
}

/**
 * True if a number has the digits of its double: those that JavaScript writes for the double, or, of all decimals with as
 * many digits as were sent, the nearest, or one of the two nearest.
 */
export function isKept(literal: string): boolean {
  if (!mayLoseDigits.test(literal) || String(Number(literal)) === literal) return true;
  const sent = decimalOf(literal);
  if (sent.digits === '') return true;
  const double = Math.abs(Number(literal));
  if (double === 0 || !Number.isFinite(double) || sent.digits.length > maxDigits) return false;
  const written = [String(double), double.toExponential(sent.digits.length - 1)];
  if (written.some((text) => decimalOf(text).digits === sent.digits)) return true;
  return isNearest(sent, decimalOf(double.toExponential(maxDigits)));
}

interface Decimal {
  /** Without zeros at either end. */
  readonly digits: string;
  /** The power of ten of the last digit. */
  readonly exponent: number;
}

function decimalOf(literal: string): Decimal {
  const [mantissa = '', power = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return { digits: digits.slice(0, end), exponent: Number(power) - fraction.length + digits.length - end };
}

/** True if two decimals differ by at most half a unit of the first one's last digit. */
function isNearest(sent: Decimal, kept: Decimal): boolean {
  const scale = Math.min(sent.exponent, kept.exponent);
  const unit = 10n ** BigInt(sent.exponent - scale);
  const difference = BigInt(sent.digits) * unit - BigInt(kept.digits) * 10n ** BigInt(kept.exponent - scale);
  return 2n * (difference < 0n ? -difference : difference) <= unit;
}
