/** A ticker in the one form in which it is stored: upper case, letters, digits, dots and dashes, or undefined. */
export function normaliseTicker(text: string): string | undefined {
  const ticker = text.trim().toUpperCase();
  return /^[A-Z0-9][A-Z0-9.-]{0,11}$/.test(ticker) ? ticker : undefined;
}
