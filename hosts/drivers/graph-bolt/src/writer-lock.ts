import { type GenerationRef, GraphStoreError } from '@pacioli/core/ports';
import { GraphMutex } from '@pacioli/graph-statements';
import type { Claims } from './claims.ts';

/** A write waits at most this long for the writes before it (graphs C-1). */
const maxWriteWaitMs = 10_000;
/** The lock of a lost process expires this long after the time limit of its statement. */
const marginMs = 15_000;
const pollMs = 50;

/** Admits one writer at a time to a graph: within this process by a mutex, between processes by the directory (graphs C-1). */
export class WriterLock {
  readonly #claims: Claims;
  readonly #mutex = new GraphMutex();

  constructor(claims: Claims) {
    this.#claims = claims;
  }

  /** Runs after the other work on this graph in this process. */
  inProcess<T>({ graphId }: GenerationRef, work: () => Promise<T>): Promise<T> {
    return this.#mutex.run(graphId, work);
  }

  /** Runs while no other process writes. Waits at most ten seconds for the lock. */
  asOnlyWriter<T>(ref: GenerationRef, timeoutMs: number, work: () => Promise<T>): Promise<T> {
    const deadline = Date.now() + maxWriteWaitMs;
    return this.inProcess(ref, async () => {
      await this.#claims.existing(ref);
      if (Date.now() > deadline) throw tooLong();
      while (!(await this.#claims.hold(ref, timeoutMs + marginMs))) {
        if (Date.now() > deadline) throw tooLong();
        await new Promise((resolve) => setTimeout(resolve, pollMs));
      }
      try {
        return await work();
      } finally {
        await this.#claims.release(ref);
      }
    });
  }

  /** Runs while nobody writes to a subgraph; other generations do not change (graphs C-2). */
  whileUnwritten<T>(ref: GenerationRef, maxMs: number, work: () => Promise<T>): Promise<T> {
    return ref.graphId.includes('_') ? this.asOnlyWriter(ref, maxMs, work) : work();
  }
}

function tooLong(): GraphStoreError {
  return new GraphStoreError('unavailable', 'Other writes of this graph take too long: retry in a moment.');
}
