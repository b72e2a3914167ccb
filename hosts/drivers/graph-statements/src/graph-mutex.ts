/** Runs the work of each graph one after the other, in the order of the calls; other graphs never wait for it. */
export class GraphMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(graphId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(graphId) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(graphId, mine);
    const forget = (): void => {
      if (this.#last.get(graphId) === mine) this.#last.delete(graphId);
    };
    mine.then(forget, forget);
    return mine;
  }
}
