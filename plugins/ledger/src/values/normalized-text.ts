/**
 * Trims a text for storage. Blank text becomes null, because callers who send "" mean the same as those who omit the
 * field (ledger L-33, L-83).
 */
export function normalizedText(text: string | null | undefined): string | null {
  const kept = text?.trim() ?? '';
  return kept === '' ? null : kept;
}
