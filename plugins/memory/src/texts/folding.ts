/** Words that change no fact. */
const articles = new Set(['a', 'an', 'the']);

/** Quotation marks around a word, and the signs that end it. A minus, a bracket, a percent or a question mark counts. */
const punctuation = /^["'“”‘’]+|[.,;:!"'“”‘’]+$/gu;

/**
 * Lets through the best of the memories that have the same words in the same order, whatever the case, the punctuation
 * and the articles; memories are offered best first (ai-surface ME-12). Vectors decide nothing here: two invoice numbers,
 * or a sentence and its negation, are nearly the same vector.
 */
export class Folding {
  readonly #kept = new Set<string>();

  /** True if no memory that was let through before has the same words. */
  lets(text: string): boolean {
    const words = text
      .normalize('NFC')
      .toLowerCase()
      .split(/\s+/u)
      .map((word) => word.replaceAll(punctuation, ''))
      .filter((word) => word !== '' && !articles.has(word));
    // A text of punctuation alone has no words to compare.
    const key = words.length === 0 ? text : words.join(' ');
    if (this.#kept.has(key)) return false;
    this.#kept.add(key);
    return true;
  }
}
