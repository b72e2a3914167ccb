import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const sampleMs = 10;

interface Memory {
  /** The heap and the buffers outside of it, in bytes. */
  readonly used: number;
  readonly resident: number;
}

/**
 * The memory of this process while it works, compared with its memory just before. Resident memory includes garbage
 * that was not collected yet and what V8 keeps for later, so that it grows even when nothing is retained.
 */
export class MemoryGrowth {
  readonly #first = collected();
  readonly #most = { used: 0, resident: 0 };

  /** Samples while `work` runs, and not while a baseline uses the same process. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const before = collected();
    const timer = setInterval(() => {
      const { used, resident } = current();
      this.#most.used = Math.max(this.#most.used, used - before.used);
      this.#most.resident = Math.max(this.#most.resident, resident - before.resident);
    }, sampleMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  /** The most that the heap and the buffers grew by while it worked, in megabytes. */
  get megabytesUsed(): number {
    return this.#most.used / 1e6;
  }

  describe(): string {
    const kept = collected().used - this.#first.used;
    const { used, resident } = this.#most;
    return `heap and buffers grew by at most ${megabytes(used)} MB and kept ${megabytes(kept)} MB; resident memory grew by at most ${megabytes(resident)} MB`;
  }
}

const liveSampleMs = 1_000;

/** The live memory of this process while it works: each sample collects garbage first, for some 5 % of the time. */
export class LiveMemory {
  #most = 0;

  async during<T>(work: () => Promise<T>): Promise<T> {
    const before = collected().used;
    const timer = setInterval(() => {
      this.#most = Math.max(this.#most, collected().used - before);
    }, liveSampleMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  /** The most that it was above the memory just before, in megabytes. */
  get megabytes(): number {
    return this.#most / 1e6;
  }
}

function collected(): Memory {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return current();
}

function current(): Memory {
  const { heapUsed, external, rss } = process.memoryUsage();
  return { used: heapUsed + external, resident: rss };
}

const megabytes = (bytes: number): number => Math.max(0, Math.round(bytes / 1e6));
