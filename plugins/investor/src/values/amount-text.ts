/** Hundredths as people read amounts: thousands separated and two decimals, negative amounts in parentheses. */
export function amountText(cents: bigint): string {
  const [whole = '', decimals = ''] = decimalOfCents(cents < 0n ? -cents : cents).split('.');
  const text = `${grouped(whole)}.${decimals}`;
  return cents < 0n ? `(${text})` : text;
}

/** Hundredths as an exact decimal of the major unit, such as 1234.56, for programs. */
export function decimalOfCents(cents: bigint): string {
  const size = cents < 0n ? -cents : cents;
  return `${cents < 0n ? '-' : ''}${size / 100n}.${(size % 100n).toString().padStart(2, '0')}`;
}

/** Exact decimal text with thousands separated and without zeros at its end, such as 1,250 or 0.125. */
export function decimalText(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const rest = fraction.replace(/0+$/, '');
  return rest === '' ? grouped(whole) : `${grouped(whole)}.${rest}`;
}

function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
