/**
 * A text as it is kept: without the blanks around it, and null when nothing is left. Callers who send "" for none say the
 * same as those who leave it out (ledger L-33, L-83).
 */
export function normalizedText(text: string | null | undefined): string | null {
  const kept = text?.trim() ?? '';
  return kept === '' ? null : kept;
}
