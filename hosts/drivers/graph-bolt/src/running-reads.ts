import { type GenerationRef, GraphStoreError } from '@pacioli/core/ports';

const pollMs = 20;

/** The reads of this process by generation. */
export class RunningReads {
  readonly #maxPerGraph: number;
  readonly #running = new Map<string, number>();

  constructor(maxPerGraph: number) {
    this.#maxPerGraph = maxPerGraph;
  }

  get count(): number {
    return [...this.#running.values()].reduce((sum, running) => sum + running, 0);
  }

  /** Counts a read until the returned function is called. Throws beyond the limit of one graph. */
  begin({ graphId, generation }: GenerationRef): () => void {
    const key = `${graphId}.${generation}`;
    const running = this.#running.get(key) ?? 0;
    if (running >= this.#maxPerGraph)
      throw new GraphStoreError('unavailable', 'Too many queries are running on this graph: retry in a moment.');
    this.#running.set(key, running + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (this.#running.get(key) ?? 1) - 1;
      if (left > 0) this.#running.set(key, left);
      else this.#running.delete(key);
    };
  }

  /** Resolves when no read of the generation is left, or after the longest wait. */
  async ended({ graphId, generation }: GenerationRef, maxWaitMs: number): Promise<void> {
    const deadline = Date.now() + maxWaitMs;
    while (this.#running.has(`${graphId}.${generation}`) && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
