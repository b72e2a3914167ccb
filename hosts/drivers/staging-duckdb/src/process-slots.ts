interface Waiter {
  readonly graphId: string;
  grant(): void;
}

/** Bounds the number of processes. A graph that has the fewest is next, so that one graph cannot keep out the others. */
export class ProcessSlots {
  readonly #most: number;
  readonly #held = new Map<string, number>();
  readonly #waiting: Waiter[] = [];
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Waits for a slot and returns what gives it back, which may be called more than once. */
  async take(graphId: string, signal?: AbortSignal): Promise<() => void> {
    if (this.#taken >= this.#most) await this.#turn(graphId, signal);
    else this.#taken += 1;
    this.#held.set(graphId, this.#heldBy(graphId) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#release(graphId);
    };
  }

  /** The slot is handed over, so that nobody who comes later can take it in between. */
  #turn(graphId: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        graphId,
        grant: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      if (signal?.aborted === true) return reject(signal.reason);
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiter);
    });
  }

  #release(graphId: string): void {
    const left = this.#heldBy(graphId) - 1;
    if (left === 0) this.#held.delete(graphId);
    else this.#held.set(graphId, left);
    let next: Waiter | undefined;
    for (const waiter of this.#waiting)
      if (next === undefined || this.#heldBy(waiter.graphId) < this.#heldBy(next.graphId)) next = waiter;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    next.grant();
  }

  #heldBy(graphId: string): number {
    return this.#held.get(graphId) ?? 0;
  }
}
