import { createToken, type Log, type Transaction } from '@pacioli/core';

/** A short text of a graph. */
export interface StoredMemory {
  readonly id: string;
  readonly text: string;
  readonly source: string;
  readonly memoryType: string;
  readonly tags: readonly string[] | null;
  readonly sourceRef: string | null;
  readonly provenance: Readonly<Record<string, unknown>> | null;
  /** The id of a user. */
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The texts of a memory that is stored, before they are checked. */
export interface NewMemory {
  readonly text: string;
  /** Who stores it, such as `mcp` or `operator` (ai-surface ME-5). */
  readonly source: string;
  readonly memoryType: string;
  readonly tags?: readonly string[] | null | undefined;
  readonly sourceRef?: string | null | undefined;
  readonly provenance?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface RecalledMemory extends StoredMemory {
  /** By the ranking of the deployment: the cosine, or a blend with age and importance (ai-surface ME-10, ME-11). */
  readonly score: number;
}

/** The memories of graphs, for the tools of other plugins. Callers check roles first, as for the operations. */
export interface Memories {
  /** Throws 503 while memory is switched off; 403 for a shared repository, and for storing on a subgraph. */
  requireOpen(graph: { readonly type: string; readonly parentId?: string }, access: 'read' | 'remove' | 'store'): void;
  /**
   * Checks the texts (422) and makes the vector, outside of any transaction; the result is for `remember`. Without an
   * answer of the embedder the vector is left to a job.
   */
  prepare(memory: NewMemory, options: { readonly signal: AbortSignal; readonly log: Log }): Promise<PreparedMemory>;
  /** Stores the memory, or returns the one with its text and type; 422 at the limit of the graph (ai-surface ME-12). */
  remember(
    tx: Transaction,
    prepared: PreparedMemory,
    by: { readonly userId: string; readonly now: Date },
  ): Promise<StoredMemory>;
  /** Finds memories by meaning, best first; 422 for an invalid query, 503 while the embedder does not answer. */
  recall(
    graphId: string,
    request: {
      readonly query: string;
      /** 1 to 50. */
      readonly k: number;
      readonly memoryType?: string | undefined;
      readonly source?: string | undefined;
    },
    options: { readonly now: Date; readonly signal: AbortSignal },
  ): Promise<readonly RecalledMemory[]>;
}

/** A memory whose texts were checked, with its vector; null if the embedder did not answer. */
export interface PreparedMemory {
  readonly memory: NewMemory;
  readonly vector: Float32Array | null;
}

export const memories = createToken<Memories>('memory.memories');
