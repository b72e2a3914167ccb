import { invalidInput } from '@pacioli/core';
import { long_chars_max, problemOfTexts } from './domain/text-limits.ts';

/** Refuses notes and reasons that are too long to be kept. */
export function requireSayable(texts: Readonly<Record<string, string | null | undefined>>): void {
  const problem = problemOfTexts(texts, long_chars_max);
  if (problem !== undefined) throw invalidInput(problem);
}
