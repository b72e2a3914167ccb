/** Lets work on one graph run alone or together with other work of its kind, in the order of arrival. */
export class GraphTurns {
  readonly #lines = new Map<string, { tail: Promise<unknown>; shared: Promise<unknown>[] }>();

  /** Waits for everything before, and everything after waits for it. */
  alone<T>(graphId: string, work: () => Promise<T>): Promise<T> {
    const line = this.#line(graphId);
    const before = Promise.allSettled([line.tail, ...line.shared]);
    const mine = before.then(work);
    line.tail = mine.catch(() => undefined);
    line.shared = [];
    this.#forget(graphId, line.tail);
    return mine;
  }

  /** Waits for the last work that runs alone. */
  together<T>(graphId: string, work: () => Promise<T>): Promise<T> {
    const line = this.#line(graphId);
    const mine = line.tail.then(work);
    const ended = mine.catch(() => undefined);
    line.shared.push(ended);
    void ended.then(() => {
      line.shared = line.shared.filter((each) => each !== ended);
      this.#forget(graphId, line.tail);
    });
    return mine;
  }

  #line(graphId: string): { tail: Promise<unknown>; shared: Promise<unknown>[] } {
    const known = this.#lines.get(graphId);
    if (known !== undefined) return known;
    const line = { tail: Promise.resolve() as Promise<unknown>, shared: [] };
    this.#lines.set(graphId, line);
    return line;
  }

  #forget(graphId: string, tail: Promise<unknown>): void {
    void tail.then(() => {
      const line = this.#lines.get(graphId);
      if (line?.tail === tail && line.shared.length === 0) this.#lines.delete(graphId);
    });
  }
}
