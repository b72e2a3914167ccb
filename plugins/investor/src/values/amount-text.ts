import { decimalOfCents } from './cents.ts';

/** Formats hundredths for people: thousands separated and two decimals, negative amounts in parentheses. */
export function amountText(cents: bigint): string {
  const [whole = '', decimals = ''] = decimalOfCents(cents < 0n ? -cents : cents).split('.');
  const text = `${withSeparators(whole)}.${decimals}`;
  return cents < 0n ? `(${text})` : text;
}

/** Formats exact decimal text with thousands separated and without trailing zeros, such as 1,250 or 0.125. */
export function decimalText(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const rest = fraction.replace(/0+$/, '');
  return rest === '' ? withSeparators(whole) : `${withSeparators(whole)}.${rest}`;
}

function withSeparators(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
