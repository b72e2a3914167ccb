import { ServiceError } from '../errors/service-error.ts';

export interface GraphSlotLimits {
  /** The work of one graph that runs at once. */
  readonly maxRunning: number;
  /** The work of one graph that waits for its turn; more is refused. */
  readonly maxWaiting: number;
}

/** Work that waits for its turn. */
interface Waiting {
  start(): void;
}

interface GraphWork {
  running: number;
  readonly waiting: Set<Waiting>;
}

/**
 * Limits how much work of one graph runs at once in this process, so that a graph with many callers leaves connections
 * of the store to the others (platform N-33). Work beyond the limit waits in the order of its arrival.
 */
export class GraphSlots {
  readonly #limits: GraphSlotLimits;
  /** Only graphs with work; its size is bounded by the requests in progress. */
  readonly #graphs = new Map<string, GraphWork>();

  constructor(limits: GraphSlotLimits) {
    this.#limits = limits;
  }

  /** Runs the work when the graph has a free slot. A caller that goes away while it waits is taken off the list. */
  async run<T>(graphId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#take(graphId, signal);
    try {
      return await work();
    } finally {
      this.#release(graphId);
    }
  }

  async #take(graphId: string, signal: AbortSignal): Promise<void> {
    const graph = this.#graphs.get(graphId) ?? { running: 0, waiting: new Set() };
    this.#graphs.set(graphId, graph);
    if (graph.running < this.#limits.maxRunning) {
      graph.running += 1;
      return;
    }
    if (graph.waiting.size >= this.#limits.maxWaiting) throw tooManyCalls(this.#limits.maxWaiting);
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        graph.waiting.delete(turn);
        reject(signal.reason);
      };
      const turn: Waiting = {
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      graph.waiting.add(turn);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Gives the slot to the one that waits longest, or frees it. */
  #release(graphId: string): void {
    const graph = this.#graphs.get(graphId);
    if (graph === undefined) throw new Error('A slot was released of a graph that has none.');
    const [next] = graph.waiting;
    if (next !== undefined) {
      graph.waiting.delete(next);
      next.start();
      return;
    }
    graph.running -= 1;
    if (graph.running === 0) this.#graphs.delete(graphId);
  }
}

function tooManyCalls(limit: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    'CONCURRENCY_LIMIT',
    `More than ${limit} calls of this graph are waiting. Send fewer at once, and try again in a second.`,
    { headers: { 'Retry-After': '1' } },
  );
}
