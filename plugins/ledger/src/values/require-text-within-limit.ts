import { invalidInput } from '@pacioli/core';
import { maxLongChars, problemOfTexts } from './text-limits.ts';

/** Rejects notes and reasons that are too long to store. */
export function requireTextWithinLimit(texts: Readonly<Record<string, string | null | undefined>>): void {
  const problem = problemOfTexts(texts, maxLongChars);
  if (problem !== undefined) throw invalidInput(problem);
}
