/**
 * Credits are stored as whole hundredths and sent as numbers with two decimals (platform C-2): sums are exact, and the
 * only division is the one at the wire.
 */
export const hundredthsPerCredit = 100;

/** Converts hundredths to the number on the wire. */
export function toCredits(hundredths: number): number {
  return hundredths / hundredthsPerCredit;
}

/** Rounds credits to the nearest hundredth, half away from zero. */
export function toHundredths(credits: number): number {
  return Math.sign(credits) * Math.round(Math.abs(credits) * hundredthsPerCredit);
}

/** Divides whole numbers to two decimals, half up; 0 if the divisor is 0. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part * 100) / whole) / 100;
}

/** Formats credits for a message, without decimals for whole numbers. */
export function creditsText(hundredths: number): string {
  const credits = toCredits(hundredths);
  return Number.isInteger(credits) ? String(credits) : credits.toFixed(2);
}
