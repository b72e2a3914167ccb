import { type Embedder, EmbeddingError } from '@pacioli/core/ports';

const dimensions = 384;
const weights = { word: 1, pair: 0.5, trigram: 0.3 };

/**
 * An embedder without data files, which finds texts with the same words (ai-surface 2.5): the counts of words, pairs of
 * words and character 3-grams, hashed to 384 numbers. Deterministic; queries and passages alike.
 */
export const hashEmbedder: Embedder = {
  id: 'hash-384',
  dimensions,
  embed: async (texts, _kind, { signal }) => {
    if (signal.aborted) throw new EmbeddingError('The call was aborted.', { cause: signal.reason });
    return texts.map(vectorOf);
  },
};

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  const add = (feature: string, weight: number): void => {
    const hash = fnv1a(feature);
    const index = hash % dimensions;
    vector[index] = (vector[index] ?? 0) + (hash >>> 31 === 0 ? weight : -weight);
  };
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  for (const [index, word] of words.entries()) {
    add(word, weights.word);
    const next = words[index + 1];
    if (next !== undefined) add(`${word} ${next}`, weights.pair);
    const characters = [...word];
    for (let from = 0; from + 3 <= characters.length; from += 1)
      add(`#${characters.slice(from, from + 3).join('')}`, weights.trigram);
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** FNV-1a of 32 bits over the UTF-8 bytes. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
