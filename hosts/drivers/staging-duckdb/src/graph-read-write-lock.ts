/** A read-write lock for each graph, in the order of arrival. */
export class GraphReadWriteLock {
  readonly #queues = new Map<string, { tail: Promise<unknown>; shared: Promise<unknown>[] }>();

  /** Runs alone: after all earlier work on the graph, and before all later work. */
  exclusive<T>(graphId: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queue(graphId);
    const before = Promise.allSettled([queue.tail, ...queue.shared]);
    const mine = before.then(work);
    queue.tail = mine.catch(() => undefined);
    queue.shared = [];
    this.#forget(graphId, queue.tail);
    return mine;
  }

  /** Runs after the earlier exclusive work, and together with other shared work. */
  shared<T>(graphId: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queue(graphId);
    const mine = queue.tail.then(work);
    const ended = mine.catch(() => undefined);
    queue.shared.push(ended);
    void ended.then(() => {
      queue.shared = queue.shared.filter((each) => each !== ended);
      this.#forget(graphId, queue.tail);
    });
    return mine;
  }

  #queue(graphId: string): { tail: Promise<unknown>; shared: Promise<unknown>[] } {
    const known = this.#queues.get(graphId);
    if (known !== undefined) return known;
    const queue = { tail: Promise.resolve() as Promise<unknown>, shared: [] };
    this.#queues.set(graphId, queue);
    return queue;
  }

  #forget(graphId: string, tail: Promise<unknown>): void {
    void tail.then(() => {
      const queue = this.#queues.get(graphId);
      if (queue?.tail === tail && queue.shared.length === 0) this.#queues.delete(graphId);
    });
  }
}
