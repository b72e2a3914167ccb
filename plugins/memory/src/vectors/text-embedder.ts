import { type Log, ServiceError } from '@pacioli/core';
import { type Embedder, EmbeddingError, maxEmbeddedTexts } from '@pacioli/core/ports';

/** The time limit of one call of the embedder. */
const maxEmbeddingMs = 10_000;

/** Calls the embedder within a time limit, and checks what it returns. */
export class TextEmbedder {
  readonly #embedder: Embedder;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /** Names the model; only vectors of one model are compared. */
  get model(): string {
    return this.#embedder.id;
  }

  get dimensions(): number {
    return this.#embedder.dimensions;
  }

  /** The vector of a text to store; null, with a warning in the log, if the embedder cannot answer. */
  async ofNewText(
    text: string,
    { signal, log }: { readonly signal: AbortSignal; readonly log: Log },
  ): Promise<Float32Array | null> {
    try {
      const [vector = null] = await this.ofTexts([text], 'passage', signal);
      return vector;
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      log.warn('a memory is stored without its vector, which a job makes later', { error });
      return null;
    }
  }

  /** The vector of a query; 503 if the embedder cannot answer. */
  async ofQuery(query: string, signal: AbortSignal): Promise<Float32Array> {
    try {
      const [vector] = await this.ofTexts([query], 'query', signal);
      if (vector === undefined) throw new Error('The embedder returned no vector.');
      return vector;
    } catch (error) {
      throw error instanceof EmbeddingError ? embedderDown(error) : error;
    }
  }

  /** One vector for each text; throws an `EmbeddingError` if the embedder fails or does not answer in time. */
  async ofTexts(
    texts: readonly string[],
    kind: 'passage' | 'query',
    signal: AbortSignal,
  ): Promise<readonly Float32Array[]> {
    if (texts.length > maxEmbeddedTexts) throw new Error(`At most ${maxEmbeddedTexts} texts are embedded at once.`);
    const timeLimit = AbortSignal.timeout(maxEmbeddingMs);
    try {
      const vectors = await this.#embedder.embed(texts, kind, { signal: AbortSignal.any([signal, timeLimit]) });
      this.#check(vectors, texts.length);
      return vectors;
    } catch (error) {
      if (timeLimit.aborted && !signal.aborted)
        throw new EmbeddingError(`The embedder did not answer within ${maxEmbeddingMs / 1_000} s.`, { cause: error });
      throw error;
    }
  }

  /** True if the embedder answers for a short text; then a call that failed was refused because of its texts. */
  async isAnswering(signal: AbortSignal): Promise<boolean> {
    try {
      await this.ofTexts(['memory'], 'passage', signal);
      return true;
    } catch (error) {
      if (error instanceof EmbeddingError) return false;
      throw error;
    }
  }

  #check(vectors: readonly Float32Array[], texts: number): void {
    const isSound =
      vectors.length === texts &&
      vectors.every((vector) => vector.length === this.dimensions && vector.every(Number.isFinite));
    if (!isSound)
      throw new EmbeddingError(
        `The embedder ${this.model} did not return ${texts} vectors of ${this.dimensions} numbers.`,
      );
  }
}

/** The refusal of a recall while the embedder does not answer. */
export function embedderDown(cause: EmbeddingError): ServiceError {
  const message =
    'Memories cannot be recalled now, because the embedder does not answer. They are stored; try again later.';
  return new ServiceError('unavailable', 'EMBEDDER_UNAVAILABLE', message, { headers: { 'Retry-After': '30' }, cause });
}
