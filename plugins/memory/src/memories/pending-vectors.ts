import { type Store, sql, type Transaction } from '@pacioli/core';
import type { MemoryRecord, MemoryVectorState } from '../rows.gen.ts';
import { bytesOf, type TextEmbedder } from '../vectors/index.ts';
import type { StoredMemories } from './stored-memories.ts';

/** The most texts per call of the embedder, so that none takes long. */
const textsPerBatch = 64;

interface PendingVectorsParts {
  readonly store: Store;
  readonly memories: StoredMemories;
  readonly embedder: TextEmbedder;
}

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

  /** Graphs with vectors to make; in a kernel transaction. */
  async dueGraphs(tx: Transaction, limit: number): Promise<readonly string[]> {
    const rows = await tx.query(sql<Pick<MemoryVectorState, 'graph_id'>>`
      SELECT graph_id FROM memory_vector_state
      WHERE vector_model IS DISTINCT FROM ${this.#use.embedder.model} ORDER BY graph_id LIMIT ${limit}`);
    return rows.map((row) => row.graph_id);
  }

  /**
   * Makes one batch of vectors for the newest memories without one; true if there may be more. Throws an
   * `EmbeddingError` if the embedder cannot answer. Repeatable, and harmless beside another process that does the same.
   */
  async embedBatch(graphId: string, signal: AbortSignal): Promise<boolean> {
    const { store, embedder } = this.#use;
    const pending = await store.transaction({ graphId }, (tx) => this.#pending(tx), { readOnly: true });
    if (pending.length === 0) return false;
    const vectors = await embedder.ofTexts(
      pending.map(({ text }) => text),
      'passage',
      signal,
    );
    const made = pending.map(({ id, text }, index) => {
      const vector = vectors[index];
      if (vector === undefined) throw new Error('The embedder returned fewer vectors than texts.');
      return { id, text, vector: bytesOf(vector).toString('hex') };
    });
    await store.transaction({ graphId }, (tx) =>
      // A text that was changed meanwhile has another vector.
      tx.query(sql`
        UPDATE memory_record AS m SET vector = decode(made.vector, 'hex'), vector_model = ${embedder.model}
        FROM jsonb_to_recordset(${JSON.stringify(made)}::text::jsonb) AS made(id text, text text, vector text)
        WHERE m.graph_id = ${graphId} AND m.id = made.id AND m.text = made.text`),
    );
    return pending.length === textsPerBatch;
  }

  /** Records that all vectors of the graph are of this embedder, unless a write has left one out meanwhile. */
  async recordCompletion(graphId: string): Promise<void> {
    const { store, memories, embedder } = this.#use;
    await store.transaction({ graphId }, async (tx) => {
      await memories.lock(tx);
      if ((await this.#pending(tx)).length > 0) return;
      await tx.query(sql`
        UPDATE memory_vector_state SET vector_model = ${embedder.model} WHERE graph_id = ${graphId}`);
    });
  }

  #pending(tx: Transaction): Promise<readonly Pick<MemoryRecord, 'id' | 'text'>[]> {
    return tx.query(sql<Pick<MemoryRecord, 'id' | 'text'>>`
      SELECT id, text FROM memory_record
      WHERE graph_id = ${tx.graphId} AND vector_model IS DISTINCT FROM ${this.#use.embedder.model}
      ORDER BY created_at DESC, id DESC LIMIT ${textsPerBatch}`);
  }
}
