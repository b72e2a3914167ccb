/** The characters of a text that are read, from its beginning; sections and memories have at most 10,000. */
export const maxReadCharacters = 32_768;

/** The length to which longer words are cut; only encoded data has such words. */
const maxWordCharacters = 64;

/** A word, with inner signs as in `a/r`, `sg&a`, `10-k` or `u.s`. */
const pattern = /[\p{L}\p{N}]+(?:[&/'’.-][\p{L}\p{N}]+)*/gu;

/** The words of a text in lower case. */
export function wordsOf(text: string): readonly string[] {
  const words = text.slice(0, maxReadCharacters).normalize('NFKC').toLowerCase().match(pattern) ?? [];
  return words.map((word) => word.replaceAll('’', "'").slice(0, maxWordCharacters));
}

/** The parts of a word with inner signs. */
export function partsOf(word: string): readonly string[] {
  return word.split(/[&/'.-]/).filter((part) => part !== '');
}
