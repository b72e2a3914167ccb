/** The largest amount that JSON carries exactly, in hundredths of the major unit. */
export const maxCents = Number.MAX_SAFE_INTEGER;

const centsPerUnit = 100n;

/** Hundredths as an exact decimal of the major unit, such as 1234.56, for programs. */
export function decimalOfCents(cents: bigint): string {
  const size = cents < 0n ? -cents : cents;
  return `${cents < 0n ? '-' : ''}${size / centsPerUnit}.${(size % centsPerUnit).toString().padStart(2, '0')}`;
}

/**
 * Hundredths of the major unit as the double nearest to the exact amount, with one rounding: the quotient of two exact
 * doubles is the nearest one, and larger sums are written out first. The unit is 1/100 in every currency, also those
 * without decimals (I-8).
 */
export function dollarsOf(cents: number | bigint): number {
  const integer = Number(cents);
  return Number.isSafeInteger(integer) ? integer / 100 : Number(decimalOfCents(BigInt(cents)));
}

/** The exact sum of amounts; amounts are added before they are divided (I-7). */
export function sumOfCents(amounts: readonly number[]): bigint {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
}
