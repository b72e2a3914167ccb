import { type Embedder, EmbeddingError, searchTerms } from '@pacioli/core/ports';

const dimensions = 384;

/**
 * A deterministic embedder without data (ai-surface 2.5): hashed words, pairs of words and groups of three characters.
 * Texts with the same words are near; it knows no synonyms.
 */
export function hashEmbedder(id = 'hash-384'): Embedder {
  return {
    id,
    dimensions,
    embed: async (texts, _kind, { signal }) => {
      if (signal.aborted) throw new EmbeddingError('The call was aborted.', { cause: signal.reason });
      return texts.map(vectorOf);
    },
  };
}

function vectorOf(text: string): Float32Array {
  const words = searchTerms(text);
  const vector = new Float32Array(dimensions);
  const add = (part: string, weight: number): void => {
    const hash = fnv1a(part);
    const at = hash % dimensions;
    vector[at] = (vector[at] ?? 0) + (hash >>> 31 === 1 ? -weight : weight);
  };
  words.forEach((word, at) => {
    add(word, 1);
    const next = words[at + 1];
    if (next !== undefined) add(`${word} ${next}`, 0.5);
    for (let start = 0; start + 3 <= word.length; start += 1) add(`#${word.slice(start, start + 3)}`, 0.3);
  });
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

/** FNV-1a of 32 bits over the UTF-8 bytes. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) {
    hash ^= byte;
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
