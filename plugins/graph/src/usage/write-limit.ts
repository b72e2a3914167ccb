import { type Clock, createToken, type Graph, gigabytes, ServiceError, type Token, tierNumbers } from '@pacioli/core';

/** Statements may write to a subgraph until the storage of the graph is this far over the limit of its tier. */
const maxPercent = 110;
/** A size is measured again after this time: it is read from the disk, and writes may follow each other closely. */
const measuredForMs = 10_000;
const maxMeasured = 5_000;

/** Refuses writes to subgraphs of graphs that are far over their storage (graphs L-20). */
export class WriteLimit {
  readonly #measure: (graphId: string) => Promise<number | null>;
  readonly #clock: Clock;
  readonly #measured = new Map<string, { readonly at: number; readonly bytes: number | null }>();

  constructor(use: {
    readonly clock: Clock;
    /** The bytes of a graph with its subgraphs and staged rows; null if they are unknown, which limits nothing. */
    readonly measure: (graphId: string) => Promise<number | null>;
  }) {
    this.#clock = use.clock;
    this.#measure = use.measure;
  }

  /** Throws 413 above the limit. */
  async require(graph: Pick<Graph, 'id' | 'parentId' | 'tier'>): Promise<void> {
    const { maxStorageGb } = tierNumbers(graph.tier);
    if (maxStorageGb === null) return;
    const bytes = await this.#bytesOf(graph.parentId ?? graph.id);
    if (bytes === null) return;
    const usedGb = gigabytes(bytes);
    if (usedGb * 100 <= maxStorageGb * maxPercent) return;
    const message =
      `Storage limit exceeded. Current: ${usedGb} GB. Limit: ${maxStorageGb} GB. Reads and deletions by other ` +
      'operations still work. Delete files or subgraphs, or move to a larger tier.';
    throw new ServiceError('too_large', 'LIMIT_EXCEEDED', message);
  }

  async #bytesOf(graphId: string): Promise<number | null> {
    const now = this.#clock.now().getTime();
    const known = this.#measured.get(graphId);
    if (known !== undefined && now - known.at < measuredForMs) return known.bytes;
    const bytes = await this.#measure(graphId);
    if (this.#measured.size >= maxMeasured) this.#measured.clear();
    this.#measured.set(graphId, { at: now, bytes });
    return bytes;
  }
}

export const writeLimit: Token<WriteLimit> = createToken('graph.write-limit');
