/** Runs tasks one after the other in call order, because a session accepts one statement at a time. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // The caller gets the error; the next task runs regardless.
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all tasks submitted so far are done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
