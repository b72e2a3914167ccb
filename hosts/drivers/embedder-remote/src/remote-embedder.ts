import { toUSVString } from 'node:util';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type Embedder, EmbeddingError, maxEmbeddedTexts } from '@pacioli/core/ports';
import { APICallError, type EmbeddingModel, embedMany, RetryError } from 'ai';
import { boundedFetch } from './bounded-fetch.ts';

export interface RemoteEmbedderOptions {
  /** The address of the API up to its version, such as `https://api.example.com/v1`; `/embeddings` follows it. */
  readonly url: string;
  readonly apiKey?: string;
  readonly model: string;
  /** The length of the model's vectors; other answers are refused. */
  readonly dimensions: number;
  /** The time limit of one call with all its requests and retries, by default 60 seconds. */
  readonly timeoutMs?: number;
  /** The most bytes of one response, by default 16,000,000. */
  readonly maxAnswerBytes?: number;
  /** The retries of a request that the provider could not answer, by default 2. */
  readonly maxRetries?: number;
}

const standardTimeoutMs = 60_000;
/** Enough for a response with 64 vectors of 4,096 numbers. */
const standardAnswerBytes = 16_000_000;
const textsPerRequest = 64;
const standardRetries = 2;
/** The length to which longer texts are cut; sections and memories have at most 10,000 characters. */
const maxTextCharacters = 32_768;

/**
 * An embedder over a provider that speaks OpenAI's protocol of embeddings. Sends the texts of a call and nothing else.
 * Requests that fail with 408, 409, 429 or 5xx are repeated twice, after the time that the provider asks for. Errors
 * contain neither address nor key nor text.
 */
export function remoteEmbedder(options: RemoteEmbedderOptions): Embedder {
  const model = createOpenAICompatible({
    name: 'remote',
    baseURL: options.url,
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
    fetch: boundedFetch(options.maxAnswerBytes ?? standardAnswerBytes),
  }).embeddingModel(options.model);
  return {
    id: `remote-${options.model}-${options.dimensions}`,
    dimensions: options.dimensions,
    embed: async (texts, _kind, { signal }) => {
      signal.throwIfAborted();
      if (texts.length > maxEmbeddedTexts)
        throw new EmbeddingError(`One call embeds at most ${maxEmbeddedTexts} texts, not ${texts.length}.`);
      // Providers refuse empty texts.
      const sent = texts.flatMap((text, at) => (text.trim() === '' ? [] : [{ at, text: wellFormed(text) }]));
      const values = sent.map(({ text }) => text);
      const made = values.length === 0 ? [] : await request(model, values, signal, options);
      const vectors: Float32Array[] = texts.map(() => new Float32Array(options.dimensions));
      for (const [index, { at }] of sent.entries()) vectors[at] = unitVector(made[index], options.dimensions);
      return vectors;
    },
  };
}

async function request(
  model: EmbeddingModel,
  values: string[],
  signal: AbortSignal,
  { timeoutMs = standardTimeoutMs, maxRetries = standardRetries }: RemoteEmbedderOptions,
): Promise<readonly (readonly number[])[]> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    const embeddings: number[][] = [];
    for (let start = 0; start < values.length; start += textsPerRequest) {
      const part = values.slice(start, start + textsPerRequest);
      const abortSignal = AbortSignal.any([signal, deadline]);
      const answer = await embedMany({ model, values: part, maxRetries, abortSignal });
      embeddings.push(...answer.embeddings);
    }
    if (embeddings.length === values.length) return embeddings;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (deadline.aborted) throw new EmbeddingError(`The embedding provider did not answer within ${timeoutMs} ms.`);
    throw new EmbeddingError(messageFor(error));
  }
  throw new EmbeddingError('The embedding provider answered with another number of vectors than texts.');
}

/** The message for an error of the library, which is no cause, because it has the address, the texts and the answer. */
function messageFor(error: unknown): string {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  if (!APICallError.isInstance(last)) return 'The answer of the embedding provider could not be read.';
  const { statusCode } = last;
  if (statusCode === undefined) return 'The embedding provider cannot be reached.';
  if (statusCode === 200) return 'The embedding provider answered with something other than vectors.';
  if (statusCode === 401 || statusCode === 403)
    return `The embedding provider refused the key with status ${statusCode}.`;
  return `The embedding provider answered with status ${statusCode}.`;
}

function unitVector(values: readonly number[] | undefined, dimensions: number): Float32Array {
  if (values?.length !== dimensions)
    throw new EmbeddingError(
      `The model has vectors of ${values?.length} numbers, and ${dimensions} are configured. Configure the former.`,
    );
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length))
    throw new EmbeddingError('The embedding provider answered with numbers that are too large.');
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length));
}

function wellFormed(text: string): string {
  return toUSVString(text.slice(0, maxTextCharacters));
}
