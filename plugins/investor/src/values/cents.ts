/** The largest amount that JSON carries exactly, in hundredths of the major unit. */
export const maxCents = Number.MAX_SAFE_INTEGER;

const centsPerUnit = 100n;

/**
 * Hundredths of the major unit as the double nearest to the exact amount: the decimal is written out first, so that the
 * only rounding is the one to a double. The unit is 1/100 in every currency, also those without decimals (I-8).
 */
export function dollarsOf(cents: number | bigint): number {
  const exact = BigInt(cents);
  const size = exact < 0n ? -exact : exact;
  const text = `${size / centsPerUnit}.${(size % centsPerUnit).toString().padStart(2, '0')}`;
  return exact < 0n ? -Number(text) : Number(text);
}

/** The exact sum of amounts; amounts are added before they are divided (I-7). */
export function sumOfCents(amounts: readonly number[]): bigint {
  return amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
}
