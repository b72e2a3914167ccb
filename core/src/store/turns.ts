import { setImmediate } from 'node:timers/promises';

/** Other requests get the thread after this time, in milliseconds. */
const turnMs = 8;

/** Divides long work of the thread into turns, between which other requests are served. */
export class Turns {
  #endsAt = performance.now() + turnMs;

  /** True when the work has had the thread long enough: await `next` before it goes on. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Waits until the others had their turn. */
  async next(): Promise<void> {
    await setImmediate();
    this.#endsAt = performance.now() + turnMs;
  }
}
