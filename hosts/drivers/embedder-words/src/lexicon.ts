/** The terms of finance, each with the words that stand for it: `a/r` has `accounts`, `receivable` and others. */
export interface Lexicon {
  readonly terms: ReadonlyMap<string, readonly string[]>;
  /** The first words of all terms of several words. */
  readonly firstWords: ReadonlySet<string>;
}

/** The most words of one term. */
export const maxTermWords = 3;

/** Reads lines such as `a/r | accounts receivable = accounts receivable customers`; `#` starts a comment. */
export function readLexicon(text: string): Lexicon {
  const terms = new Map<string, readonly string[]>();
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [left = '', right = ''] = line.split(' = ');
    const words = right.trim().split(' ');
    for (const term of left.split('|')) terms.set(term.trim(), words);
  }
  const firstWords = [...terms.keys()].flatMap((term) => (term.includes(' ') ? [term.split(' ', 1).join()] : []));
  return { terms, firstWords: new Set(firstWords) };
}
