const stopWords = new Set(['the', 'a', 'of', 'account', 'acct', 'total']);

/** The normalized words of a name: lower case, `&` as `and`, without punctuation and plurals (taxonomy AM-13). */
export function normalizedWords(name: string): readonly string[] {
  return name
    .replace(/['’]/g, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .filter((word) => word !== '')
    .map(singular);
}

/** The distinctive words of a name. */
export function tellingWords(name: string): ReadonlySet<string> {
  return withoutStopWords(normalizedWords(name));
}

/** The words without stop words. */
export function withoutStopWords(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.filter((word) => !stopWords.has(word)));
}

function singular(word: string): string {
  if (word.length <= 3 || /(ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}
