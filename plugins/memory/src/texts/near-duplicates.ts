/** Words whose presence changes no fact. */
const articles = new Set(['a', 'an', 'the']);

/** An upper-case A that does not begin the text is a name, as in Grade A. */
const isArticle = (word: string, at: number): boolean => articles.has(word.toLowerCase()) && (word !== 'A' || at === 0);

/** Quotation marks around a word, and punctuation after it. Other signs, such as a minus, change the meaning. */
const punctuation = /^["'“”‘’]+|[.,;:!"'“”‘’]+$/gu;

/**
 * Accepts the first of several texts that have the same words in the same order, whatever their case, punctuation and
 * articles; recall offers its hits best first (ai-surface ME-12). It compares words and not vectors, because two invoice
 * numbers, or a sentence and its negation, have nearly the same vector.
 */
export class NearDuplicateFilter {
  readonly #accepted = new Set<string>();

  /** True if no text that was accepted before has the same words. */
  accepts(text: string): boolean {
    const words = text
      .normalize('NFC')
      .split(/\s+/u)
      .map((word) => word.replaceAll(punctuation, ''))
      .filter((word) => word !== '')
      .filter((word, at) => !isArticle(word, at))
      .map((word) => word.toLowerCase());
    // A text of punctuation alone has no words to compare.
    const key = words.length === 0 ? text : words.join(' ');
    if (this.#accepted.has(key)) return false;
    this.#accepted.add(key);
    return true;
  }
}
