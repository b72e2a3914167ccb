/**
 * Credits are whole hundredths inside and numbers with two decimals on the wire (platform C-2): sums are exact, and
 * the division happens once, when a number leaves.
 */
export const hundredthsPerCredit = 100;

/** Hundredths as the wire has them. */
export function toCredits(hundredths: number): number {
  return hundredths / hundredthsPerCredit;
}

/** The nearest hundredth of a number of credits, half away from zero. */
export function toHundredths(credits: number): number {
  return Math.sign(credits) * Math.round(Math.abs(credits) * hundredthsPerCredit);
}

/** A quotient of whole numbers with two decimals, half up; 0 where there is nothing to divide by. */
export function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part * 100) / whole) / 100;
}

/** Credits for a sentence: no decimals where there are none. */
export function creditsText(hundredths: number): string {
  const credits = toCredits(hundredths);
  return Number.isInteger(credits) ? String(credits) : credits.toFixed(2);
}
