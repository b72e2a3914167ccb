import { access } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Embedder, EmbeddingError, maxEmbeddedTexts } from '@pacioli/core/ports';

export interface OnnxOptions {
  /** Holds `model.onnx` and `tokenizer.json` of a sentence model, such as all-MiniLM-L6-v2. */
  readonly folder: string;
}

/** The most calls that wait for the model; further ones are refused, so that their texts do not pile up in memory. */
const maxWaitingCalls = 64;

interface Waiting {
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Answer {
  readonly ready?: { readonly dimensions: number; readonly digest: string };
  readonly call?: number;
  readonly vectors?: readonly Float32Array[];
  readonly error?: string;
}

/**
 * An embedder that runs a sentence model on the processor, in a thread of its own: the mean of the vectors of a text's
 * tokens. Its id contains the digest of the model. Throws an `EmbeddingError` if the folder has no model that runs.
 */
export async function onnxEmbedder({ folder }: OnnxOptions): Promise<Embedder> {
  for (const file of ['model.onnx', 'tokenizer.json']) {
    await access(join(folder, file)).catch(() => {
      throw new EmbeddingError(`The folder ${folder} of the embedding model has no readable file ${file}.`);
    });
  }
  const thread = new ModelThread(folder);
  const { dimensions, digest } = await thread.ready;
  return {
    id: `onnx-${digest}`,
    dimensions,
    embed: (texts, _kind, { signal }) => thread.embed(texts, signal),
    close: () => thread.close(),
  };
}

class ModelThread {
  readonly ready: Promise<{ readonly dimensions: number; readonly digest: string }>;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastCall = 0;
  #failure: EmbeddingError | undefined;

  constructor(folder: string) {
    // One processor is left for the service.
    const threads = Math.max(1, availableParallelism() - 1);
    this.#worker = new Worker(new URL('./onnx-worker.mjs', import.meta.url), { workerData: { folder, threads } });
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (answer: Answer) => {
        if (answer.ready !== undefined) resolve(answer.ready);
        else this.#settle(answer);
      });
      this.#worker.once('error', (error: unknown) => this.#end('The embedding model cannot run', error, reject));
      this.#worker.once('exit', () => this.#end('The thread of the embedding model ended', undefined, reject));
    });
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    signal.throwIfAborted();
    if (texts.length > maxEmbeddedTexts)
      throw new EmbeddingError(`One call embeds at most ${maxEmbeddedTexts} texts, not ${texts.length}.`);
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#waiting.size >= maxWaitingCalls)
      throw new EmbeddingError(`The embedding model is busy: ${maxWaitingCalls} calls wait for it. Try again later.`);
    if (texts.length === 0) return [];
    this.#lastCall += 1;
    const call = this.#lastCall;
    const cancel = (): void => {
      this.#worker.postMessage({ cancel: call });
      this.#waiting.get(call)?.reject(signal.reason);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(call, { resolve, reject });
        this.#worker.postMessage({ call, texts });
      });
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async close(): Promise<void> {
    this.#failure = new EmbeddingError('The embedding model is closed.');
    await this.#worker.terminate();
  }

  #settle({ call, vectors, error }: Answer): void {
    const waiting = this.#waiting.get(call ?? 0);
    // A canceled call counts as waiting until the thread has dropped it.
    this.#waiting.delete(call ?? 0);
    if (error !== undefined) waiting?.reject(new EmbeddingError(`The embedding model failed: ${error}`));
    else if (vectors !== undefined) waiting?.resolve(vectors);
  }

  #end(text: string, cause: unknown, rejectStart: (error: unknown) => void): void {
    const reason = cause instanceof Error ? `: ${cause.message}` : '.';
    this.#failure ??= new EmbeddingError(`${text}${reason}`, { cause });
    rejectStart(this.#failure);
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
