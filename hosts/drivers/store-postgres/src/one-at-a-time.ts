/** Runs works one after the other in the order of the calls: a session takes one statement at a time. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    // The caller gets the error; the next work runs regardless.
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when everything that was asked for so far is done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
