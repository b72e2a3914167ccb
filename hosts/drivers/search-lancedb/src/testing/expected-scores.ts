import { fieldWeights, type IndexEntry, searchTerms } from '@pacioli/core/ports';

const k1 = 1.2;
const b = 0.75;

/** The scores of ai-surface SR-10 from its formula, over all entries of a graph, best first; without filters. */
export function expectedScores(entries: readonly IndexEntry[], query: string): readonly (readonly [string, number])[] {
  const terms = new Set(searchTerms(query));
  const scores = new Map<string, number>();
  for (const [field, weight] of Object.entries(fieldWeights)) {
    const texts = entries
      .map((entry) => ({ id: entry.id, words: searchTerms(String(entry[field as keyof typeof fieldWeights] ?? '')) }))
      .filter(({ words }) => words.length > 0);
    const average = texts.reduce((sum, { words }) => sum + words.length, 0) / texts.length;
    const rarity = new Map(
      [...terms].map((term) => {
        const n = texts.filter(({ words }) => words.includes(term)).length;
        return [term, Math.log(1 + (texts.length - n + 0.5) / (n + 0.5))];
      }),
    );
    for (const { id, words } of texts) {
      let score = 0;
      for (const [term, idf] of rarity) {
        const frequency = words.filter((word) => word === term).length;
        score += (idf * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * words.length) / average));
      }
      if (score > 0) scores.set(id, Math.max(scores.get(id) ?? 0, score * weight));
    }
  }
  return [...scores].sort(([idA, a], [idB, z]) => z - a || (idA < idB ? -1 : 1));
}
