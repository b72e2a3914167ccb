/**
 * A text of a user as part of a line for a terminal: line breaks and control characters, which could move the cursor or
 * hide what follows, become spaces.
 */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}
