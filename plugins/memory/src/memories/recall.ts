import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidInput, type Store, type Transaction } from '@pacioli/core';
import { EmbeddingError } from '@pacioli/core/ports';
import { NearDuplicateFilter, requireQuery } from '../texts/index.ts';
import type { RecalledMemory } from '../tokens.ts';
import { embedderDown, type Ranking, scoreOf, similarityOf, type TextEmbedder, vectorOf } from '../vectors/index.ts';
import type { PendingVectors } from './pending-vectors.ts';
import type { MemoryFilter, StoredMemories } from './stored-memories.ts';

const maxHits = 50;
/** Hits with a lower cosine have nothing to do with the query (ME-10). */
const minSimilarity = 0.15;
/** Bounds the vectors in memory, and the time between two turns of the event loop. */
const vectorsPerBatch = 250;
/** The most hits of a request: a second batch is read only if near duplicates were left out. */
const candidatesPerBatch = 50;
/** A recall starts no further call for missing vectors after this time, and goes on with those that it has. */
const maxEmbeddingSeconds = 10;

export interface RecallRequest extends MemoryFilter {
  readonly query: string;
  readonly k: number;
}

interface RecallParts {
  readonly ranking: Ranking;
  readonly store: Store;
  readonly memories: StoredMemories;
  readonly embedder: TextEmbedder;
  readonly pending: PendingVectors;
}

interface Candidate {
  readonly id: string;
  readonly score: number;
  readonly updatedAt: number;
}

/** Finds the memories of a graph that are nearest to a query, by comparing it with each of them. */
export class Recall {
  readonly #use: RecallParts;

  constructor(use: RecallParts) {
    this.#use = use;
  }

  async run(
    graphId: string,
    request: RecallRequest,
    { now, signal }: { readonly now: Date; readonly signal: AbortSignal },
  ): Promise<readonly RecalledMemory[]> {
    const query = requireQuery(request.query);
    if (!Number.isInteger(request.k) || request.k < 1 || request.k > maxHits)
      throw invalidInput(`k: must be a whole number from 1 to ${maxHits}.`);
    const { store, embedder } = this.#use;
    const vector = await embedder.ofQuery(query, signal);
    await this.#embedNewest(graphId, signal);
    return store.transaction(
      { graphId },
      async (tx) => {
        const candidates = await this.#rank(tx, request, { vector, now, signal });
        return this.#distinctHits(tx, candidates, request.k, signal);
      },
      { readOnly: true },
    );
  }

  /**
   * Makes one batch of missing vectors, because memories without a vector of this embedder are not found: those that
   * were stored while it was down are found as soon as it is back. Refused texts are left out, and the job makes the
   * other vectors (ME-15).
   */
  async #embedNewest(graphId: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#use.pending.embedBatch(graphId, { signal, stop: AbortSignal.timeout(maxEmbeddingSeconds * 1_000) });
    } catch (error) {
      throw error instanceof EmbeddingError ? embedderDown(error) : error;
    }
  }

  /** All memories that are near enough, best first; ties are broken by the newer one, then by id. */
  async #rank(
    tx: Transaction,
    filter: MemoryFilter,
    { vector, now, signal }: { readonly vector: Float32Array; readonly now: Date; readonly signal: AbortSignal },
  ): Promise<readonly Candidate[]> {
    const { memories, embedder, ranking } = this.#use;
    const found: Candidate[] = [];
    for await (const rows of memories.ranked(tx, embedder.model, filter, vectorsPerBatch)) {
      signal.throwIfAborted();
      for (const row of rows) {
        if (row.vector === null) continue;
        const similarity = similarityOf(vector, vectorOf(row.vector, embedder.dimensions));
        if (similarity < minSimilarity) continue;
        const { updated_at: updatedAt, memory_type: memoryType, importance } = row;
        const score = scoreOf(ranking, { similarity, updatedAt, memoryType, importance }, now);
        found.push({ id: row.id, score, updatedAt: updatedAt.getTime() });
      }
      await nextTurn();
    }
    return found.sort((a, b) => b.score - a.score || b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1));
  }

  /** The best `k` memories without near duplicates of better ones (ai-surface ME-12). */
  async #distinctHits(
    tx: Transaction,
    candidates: readonly Candidate[],
    k: number,
    signal: AbortSignal,
  ): Promise<readonly RecalledMemory[]> {
    const hits: RecalledMemory[] = [];
    const filter = new NearDuplicateFilter();
    for (let from = 0; from < candidates.length && hits.length < k; from += candidatesPerBatch) {
      signal.throwIfAborted();
      const batch = candidates.slice(from, from + candidatesPerBatch);
      const found = await this.#use.memories.byIds(
        tx,
        batch.map(({ id }) => id),
      );
      for (const { id, score } of batch) {
        const memory = found.get(id);
        if (memory !== undefined && hits.length < k && filter.accepts(memory.text)) hits.push({ ...memory, score });
      }
      await nextTurn();
    }
    return hits;
  }
}
