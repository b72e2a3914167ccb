import { type Store, sql, type Transaction } from '@pacioli/core';
import type { MemoryRecord, MemoryVectorState } from '../rows.gen.ts';
import { bytesOf, embedByHalves, type TextEmbedder } from '../vectors/index.ts';
import type { StoredMemories } from './stored-memories.ts';

/** The most texts per call of the embedder, so that none takes long. */
const textsPerBatch = 64;
/** The time until refused texts are tried again: the provider may have refused them for a passing reason. */
const retryAfterMs = 60 * 60 * 1_000;

interface PendingVectorsParts {
  readonly store: Store;
  readonly memories: StoredMemories;
  readonly embedder: TextEmbedder;
}

/** A graph, and whether its refused texts are to be tried again. */
type DueGraph = Pick<MemoryVectorState, 'graph_id'> & { readonly is_retry: boolean };

/** Makes vectors that are missing, and replaces those of another embedder. */
export class PendingVectors {
  readonly #use: PendingVectorsParts;

  constructor(use: PendingVectorsParts) {
    this.#use = use;
  }

  /** Records, in the transaction of a write, that the graph has a vector to make unless all are of this model. */
  async recordWrite(tx: Transaction, vectorModel: string | null): Promise<void> {
    await tx.query(sql`
      INSERT INTO memory_vector_state AS state (graph_id, vector_model) VALUES (${tx.graphId}, ${vectorModel})
      ON CONFLICT (graph_id) DO UPDATE SET vector_model = NULL
        WHERE state.vector_model IS DISTINCT FROM EXCLUDED.vector_model AND state.vector_model IS NOT NULL`);
  }

  /**
   * Graphs with vectors to make, or refused texts to try again; in a kernel transaction. Their order is random, so that
   * graphs whose batches take the whole turn of the job do not keep the same others waiting in each turn.
   */
  async dueGraphs(
    tx: Transaction,
    { now, limit }: { readonly now: Date; readonly limit: number },
  ): Promise<readonly DueGraph[]> {
    return tx.query(sql<DueGraph>`
      SELECT graph_id, coalesce(retry_at <= ${now}, false) AS is_retry FROM memory_vector_state
      WHERE vector_model IS DISTINCT FROM ${this.#use.embedder.model} OR retry_at <= ${now}
      ORDER BY random() LIMIT ${limit}`);
  }

  /** Lets the refused texts of a graph be embedded again. */
  async retryRefused(graphId: string): Promise<void> {
    const { store, memories } = this.#use;
    await store.transaction({ graphId }, async (tx) => {
      await memories.lock(tx);
      await tx.query(sql`
        UPDATE memory_record SET refused_by = NULL WHERE graph_id = ${graphId} AND refused_by IS NOT NULL`);
      await tx.query(sql`
        UPDATE memory_vector_state SET vector_model = NULL, retry_at = NULL WHERE graph_id = ${graphId}`);
    });
  }

  /**
   * Makes one batch of vectors for the newest memories without one, and records those that the embedder refuses; true if
   * there may be more. Throws an `EmbeddingError` if the embedder does not answer. No part of the batch is embedded after
   * `stop`. Repeatable, and harmless beside another process that does the same.
   */
  async embedBatch(
    graphId: string,
    limits: { readonly signal: AbortSignal; readonly stop: AbortSignal },
  ): Promise<boolean> {
    const { store, embedder } = this.#use;
    const pending = await store.transaction({ graphId }, (tx) => this.#pending(tx), { readOnly: true });
    if (pending.length === 0) return false;
    const { made, refused, failure } = await embedByHalves(embedder, pending, limits);
    const vectors = made.map(({ item: { id, text }, vector }) => ({
      id,
      text,
      vector: bytesOf(vector).toString('hex'),
    }));
    const refusals = refused.map(({ id, text }) => ({ id, text, vector: null }));
    if (vectors.length + refusals.length > 0)
      await store.transaction({ graphId }, (tx) => this.#record(tx, [...vectors, ...refusals]));
    if (failure !== undefined) throw failure;
    return vectors.length + refusals.length < pending.length || pending.length === textsPerBatch;
  }

  /**
   * Records that all vectors of the graph are of this embedder, except for those of refused texts, unless a write has left
   * one out meanwhile.
   */
  async recordCompletion(graphId: string, now: Date): Promise<void> {
    const { store, memories, embedder } = this.#use;
    await store.transaction({ graphId }, async (tx) => {
      await memories.lock(tx);
      if ((await this.#pending(tx)).length > 0) return;
      const retryAt = new Date(now.getTime() + retryAfterMs);
      await tx.query(sql`
        UPDATE memory_vector_state SET vector_model = ${embedder.model}, retry_at = CASE WHEN EXISTS (
          SELECT FROM memory_record
          WHERE graph_id = ${graphId} AND vector_model IS DISTINCT FROM ${embedder.model}
        ) THEN coalesce(retry_at, ${retryAt}) END
        WHERE graph_id = ${graphId}`);
    });
  }

  async #record(
    tx: Transaction,
    outcomes: readonly { readonly id: string; readonly text: string; readonly vector: string | null }[],
  ): Promise<void> {
    const { model } = this.#use.embedder;
    // A text that was changed meanwhile has another vector. A refused text keeps that of an earlier embedder.
    await tx.query(sql`
      UPDATE memory_record AS m SET vector = coalesce(decode(made.vector, 'hex'), m.vector),
        vector_model = CASE WHEN made.vector IS NULL THEN m.vector_model ELSE ${model} END,
        refused_by = CASE WHEN made.vector IS NULL THEN ${model} END
      FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::text::jsonb) AS made(id text, text text, vector text)
      WHERE m.graph_id = ${tx.graphId} AND m.id = made.id AND m.text = made.text`);
  }

  #pending(tx: Transaction): Promise<readonly Pick<MemoryRecord, 'id' | 'text'>[]> {
    return tx.query(sql<Pick<MemoryRecord, 'id' | 'text'>>`
      SELECT id, text FROM memory_record
      WHERE graph_id = ${tx.graphId} AND vector_model IS DISTINCT FROM ${this.#use.embedder.model}
        AND refused_by IS DISTINCT FROM ${this.#use.embedder.model}
      ORDER BY created_at DESC, id DESC LIMIT ${textsPerBatch}`);
  }
}
