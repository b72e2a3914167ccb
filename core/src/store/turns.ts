import { setImmediate } from 'node:timers/promises';

/** Other requests get the thread after this time, in milliseconds. */
const turnMs = 8;

/** Resolves when the work that waits last in this process has its turn. */
let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * Divides long work of the thread into turns, between which other requests are served. Of several works only one has a
 * turn before the others are served again.
 */
export class Turns {
  #endsAt = performance.now() + turnMs;

  /** True when the work has had the thread long enough: await `next` before it goes on. */
  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Waits until the others had their turn. */
  async next(): Promise<void> {
    const turn = lastTurn.then(() => setImmediate());
    lastTurn = turn;
    await turn;
    this.#endsAt = performance.now() + turnMs;
  }
}
