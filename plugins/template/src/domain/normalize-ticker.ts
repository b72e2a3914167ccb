/** Normalizes a ticker to upper case; undefined if it has characters other than letters, digits, dots and dashes. */
export function normalizeTicker(text: string): string | undefined {
  const ticker = text.trim().toUpperCase();
  return /^[A-Z0-9][A-Z0-9.-]{0,11}$/.test(ticker) ? ticker : undefined;
}
