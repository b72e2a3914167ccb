import { createHash } from 'node:crypto';

/** A digest that is equal for texts that differ only in case, white space or the composition of characters (ME-12). */
export function textKeyOf(text: string): string {
  const collapsed = text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  return createHash('sha256').update(folded(collapsed)).digest('hex');
}

/** Unicode case folding. By way of upper case, so that ß equals SS; except for ı, whose upper case is that of i. */
function folded(text: string): string {
  return text
    .replaceAll(/[^ı]/gu, (character) => character.toUpperCase().toLowerCase().replaceAll('ς', 'σ'))
    .normalize('NFC');
}
