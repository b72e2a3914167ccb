import { type Scope, StoreError } from '@pacioli/core/ports';

/** More would wait longer than any caller. */
const maxWaitingPerScope = 1_000;
const maxWaiting = 10_000;

const waitedTooLong =
  'No connection became free in time. Raise maxConnections, shorten transactions, and never open one inside another.';
const tooManyWait =
  'Too many transactions wait for a connection. Raise maxConnections, or send fewer requests at once.';

export interface FairQueueOptions {
  /** The connections that are shared. */
  readonly connections: number;
  /** The longest wait for one. */
  readonly maxWaitMs: number;
}

interface Share {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Divides the connections between graphs, so that a graph with many callers does not slow down its neighbors: it uses
 * at most half of them, and the next free one goes to the scope that uses the fewest. The scope `kernel` is one of the
 * sharers, because sign-ins and jobs must not wait behind a graph either.
 */
export class FairQueue {
  readonly #maxWaitMs: number;
  readonly #perScope: number;
  #free: number;
  #waiting = 0;
  /** The scopes that run or wait, by the end of their latest transaction, so that they take turns. */
  readonly #shares = new Map<string, Share>();

  constructor({ connections, maxWaitMs }: FairQueueOptions) {
    this.#free = connections;
    this.#perScope = Math.max(1, Math.floor(connections / 2));
    this.#maxWaitMs = maxWaitMs;
  }

  /** Runs `work` when it is the scope's turn. Throws a StoreError if that takes too long or too many wait already. */
  async run<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    // No graph has an empty id.
    const name = scope === 'kernel' ? '' : scope.graphId;
    const share = this.#shares.get(name) ?? { running: 0, waiting: [] };
    if (this.#free > 0 && share.running < this.#perScope) {
      this.#shares.set(name, share);
      this.#start(share);
    } else {
      await this.#turn(name, share);
    }
    try {
      return await work();
    } finally {
      this.#end(name, share);
    }
  }

  #start(share: Share): void {
    this.#free -= 1;
    share.running += 1;
  }

  /** Resolves when the end of another transaction has started this one. */
  #turn(name: string, share: Share): Promise<void> {
    if (share.waiting.length >= maxWaitingPerScope || this.#waiting >= maxWaiting)
      throw new StoreError('busy', tooManyWait);
    this.#shares.set(name, share);
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(patience);
        this.#waiting -= 1;
        resolve();
      };
      const patience = setTimeout(() => {
        share.waiting.splice(share.waiting.indexOf(begin), 1);
        this.#waiting -= 1;
        this.#keepOrForget(name, share);
        reject(new StoreError('busy', waitedTooLong));
      }, this.#maxWaitMs);
      share.waiting.push(begin);
    });
  }

  #end(name: string, share: Share): void {
    share.running -= 1;
    this.#free += 1;
    // Behind the others, whose latest transactions ended earlier.
    this.#shares.delete(name);
    this.#keepOrForget(name, share);
    const next = this.#next();
    const begin = next?.waiting.shift();
    if (next === undefined || begin === undefined) return;
    this.#start(next);
    begin();
  }

  #keepOrForget(name: string, share: Share): void {
    if (share.running > 0 || share.waiting.length > 0) this.#shares.set(name, share);
    else this.#shares.delete(name);
  }

  /** The waiting scope that uses the fewest connections; of several, the one whose latest transaction ended first. */
  #next(): Share | undefined {
    let next: Share | undefined;
    for (const share of this.#shares.values()) {
      if (share.waiting.length === 0 || share.running >= this.#perScope) continue;
      if (next === undefined || share.running < next.running) next = share;
    }
    return next;
  }
}
