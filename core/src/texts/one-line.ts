/**
 * A text of a user as part of a line for a terminal: line breaks and control characters, which could move the cursor or
 * hide what follows, become spaces. Controls of the writing direction, which could turn the rest of the line, are left
 * out.
 */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
