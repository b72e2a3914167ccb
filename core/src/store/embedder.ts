/** Turns texts into vectors of which near ones have near meanings. */
export interface Embedder {
  /** Names the model with its version; vectors of different ids are not compared (ai-surface SR-13). */
  readonly id: string;
  readonly dimensions: number;
  /**
   * One vector of length 1 for each text, in order; a vector of zeros for a text without known parts. At most
   * `maxEmbeddedTexts` texts a call. Fails with an `EmbeddingError`.
   */
  embed(
    texts: readonly string[],
    kind: 'passage' | 'query',
    options: { readonly signal: AbortSignal },
  ): Promise<readonly Float32Array[]>;
  close?(): Promise<void>;
}

export const maxEmbeddedTexts = 256;

/** The embedder cannot answer now, such as because its provider is down. */
export class EmbeddingError extends Error {
  override readonly name = 'EmbeddingError';
}
