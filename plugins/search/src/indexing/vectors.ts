import type { Log } from '@pacioli/core';
import { type Embedder, EmbeddingError, maxEmbeddedTexts } from '@pacioli/core/ports';

/** What an entry is embedded as: its text, after the title of its document. */
export interface Passage {
  readonly documentTitle: string | null;
  readonly content: string;
}

/** The deployment makes no vectors, so entries rank by text alone (SR-13). */
export const hasNoEmbedder = (embedder: Embedder): boolean => embedder.dimensions === 0;

/**
 * The vectors of passages in order; undefined without an embedder, and when it does not answer, which is logged: the
 * entries are found by text, and a job adds their vectors.
 */
export async function vectorsOf(
  use: { readonly embedder: Embedder; readonly log: Log },
  passages: readonly Passage[],
  signal: AbortSignal,
): Promise<readonly Float32Array[] | undefined> {
  if (hasNoEmbedder(use.embedder)) return undefined;
  try {
    const vectors: Float32Array[] = [];
    for (let at = 0; at < passages.length; at += maxEmbeddedTexts) {
      const texts = passages.slice(at, at + maxEmbeddedTexts).map(textOf);
      vectors.push(...(await use.embedder.embed(texts, 'passage', { signal })));
    }
    return vectors;
  } catch (error) {
    if (!(error instanceof EmbeddingError)) throw error;
    use.log.warn('passages were indexed without vectors', { error });
    return undefined;
  }
}

const textOf = ({ documentTitle, content }: Passage): string =>
  documentTitle === null ? content : `${documentTitle}\n${content}`;
