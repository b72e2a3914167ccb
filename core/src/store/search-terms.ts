const maxTermCharacters = 100;
/** The most terms of a query that count (ai-surface SR-10): OpenSearch takes 1,024 clauses, and a term is four. */
export const maxQueryTerms = 250;

/**
 * Letters with marks, digits and connectors; points and commas only between digits. Han and Hiragana have no spaces, so
 * each sign is a term.
 */
const term =
  /[\p{Script=Han}\p{Script=Hiragana}]\p{M}*|\p{Nd}+(?:[.,]\p{Nd}+)+|(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{N}\p{M}\p{Pc}])+/gu;

/** A term of a text with its place, in UTF-16 units. */
export interface PlacedTerm {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The terms of a text in order: Unicode words in lower case, without stop words and without stemming (ai-surface SR-10).
 * Every driver splits entries and queries by this function, so that all find the same. Longer terms count by their first
 * 100 characters.
 */
export function searchTerms(text: string): readonly string[] {
  return Array.from(text.matchAll(term), ([word]) => normalizedTerm(word));
}

/** The terms of a query without repetitions, at most the first 250 (ai-surface SR-10); the same in every driver. */
export function queryTerms(text: string): readonly string[] {
  return [...new Set(searchTerms(text))].slice(0, maxQueryTerms);
}

/** The terms of a text with their places, one at a time, for excerpts. */
export function* placedTerms(text: string): Generator<PlacedTerm> {
  for (const match of text.matchAll(term)) {
    const [word] = match;
    yield { term: normalizedTerm(word), start: match.index, end: match.index + word.length };
  }
}

/** The number of terms of a text; the text is read no further than to the term with the number `most`. */
export function termCount(text: string, most: number): number {
  let count = 0;
  for (const _match of text.matchAll(term)) {
    count += 1;
    if (count === most) break;
  }
  return count;
}

/** Composed and decomposed letters are one term. */
function normalizedTerm(word: string): string {
  const folded = word.toLowerCase().normalize('NFC');
  return folded.length <= maxTermCharacters ? folded : Array.from(folded).slice(0, maxTermCharacters).join('');
}
