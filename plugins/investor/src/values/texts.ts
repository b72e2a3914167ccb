import { invalidInput } from '@pacioli/core';

/** Limit of a name. */
export const maxNameChars = 200;

/** Limit of a strategy, a valuation source or another short text. */
export const maxShortChars = 500;

/** Limit of a description, a note or a reason. */
export const maxLongChars = 4_000;

/** Trims a text; blank text is null. */
export function normalizedText(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

/** Trims a text that must not be blank; throws 422 if it is, or if it is too long. */
export function requiredText(text: string, field: string, charsMax: number): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > charsMax)
    throw invalidInput(`${field}: between 1 and ${charsMax} characters are needed, not ${trimmed.length}.`);
  return trimmed;
}
