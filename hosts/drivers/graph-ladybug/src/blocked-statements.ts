import { createHash } from 'node:crypto';
import { GraphStoreError } from '@pacioli/core/ports';
import type { EngineProcess } from './engine-process.ts';

const rememberedMs = 10 * 60_000;
const maxRemembered = 1_000;
const maxDeaths = 2;

/**
 * Statements that were running when a worker crashed or exceeded its memory. After the second time, one is refused for
 * ten minutes (graphs E-11, E-13).
 */
export class BlockedStatements {
  readonly #deaths = new Map<string, { count: number; at: number }>();

  #add(graphId: string, statement: string): void {
    const key = keyOf(graphId, statement);
    const earlier = this.#deaths.get(key);
    this.#deaths.delete(key);
    this.#deaths.set(key, { count: (earlier?.count ?? 0) + 1, at: Date.now() });
    const oldest = this.#deaths.keys().next();
    if (this.#deaths.size > maxRemembered && oldest.done !== true) this.#deaths.delete(oldest.value);
  }

  /** Runs a statement unless it is refused, and remembers one that its worker did not survive. */
  async run<T>(
    graphId: string,
    statement: string,
    worker: () => Promise<EngineProcess>,
    work: (worker: EngineProcess) => Promise<T>,
  ): Promise<T> {
    this.#refuseKnown(graphId, statement);
    const started = await worker();
    try {
      return await work(started);
    } catch (error) {
      const isMemory = error instanceof GraphStoreError && error.code === 'memory';
      if (isMemory || started.hasCrashed) this.#add(graphId, statement);
      throw error;
    }
  }

  #refuseKnown(graphId: string, statement: string): void {
    const key = keyOf(graphId, statement);
    const known = this.#deaths.get(key);
    if (known === undefined) return;
    if (Date.now() - known.at > rememberedMs) this.#deaths.delete(key);
    else if (known.count >= maxDeaths) {
      throw new GraphStoreError(
        'runtime',
        'This query has stopped the graph engine repeatedly, so it is refused for 10 minutes. ' +
          'Change it before you retry: request less data at once, add a LIMIT, or match shorter paths.',
      );
    }
  }
}

function keyOf(graphId: string, statement: string): string {
  return createHash('sha256').update(`${graphId}\n${statement}`).digest('base64');
}
